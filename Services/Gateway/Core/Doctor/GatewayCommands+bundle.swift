import Envelope
import Localization
import MessageBus
public import ProcessKit
import ServiceKit
import TerminalText

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

extension GatewayCommands {
    /// Examines the stack and writes what it told, its settings and the ends of its logs to a file that can be shown to
    /// others: without secrets, without the user's name, without addresses.
    public func doctor(_ environment: Environment, settings: SettingsReport, bundle path: String) async throws -> Answer
    {
        let (findings, examination) = try await examined(environment)
        let process = ProcessInfo.processInfo
        let bundle = DoctorBundle(
            created: RFC3339.text(microseconds: WallClock.system.microseconds), version: ProductVersion.current,
            system: .init(name: process.operatingSystemVersionString, cores: process.activeProcessorCount),
            findings: findings, settings: settings.settings, stats: examination?.report,
            quota: try? examination?.quota.get(),
            cache: try? examination?.cache.get(),
            logs: RunFolder(of: bus.endpoints).map { LogEnds.all(in: $0.logFolder) } ?? [:])
        // Text by text: in their JSON form secrets may be escaped, and keys are no texts.
        let redaction = Redaction(environment, host: process.hostName)
        let tree = try JSONBytes.decode(JSONTree.self, from: JSONBytes.encode(bundle)).mapTexts(redaction.applied)
        try OutputFile(path: path).write(JSONBytes.encode(tree) + [UInt8(ascii: "\n")], permissions: 0o600)
        var answer = try presentation.findings(findings)
        answer.notes.append(
            presentation.language(
                "저장했습니다: \(path.printable) — 키와 주소는 뺐지만, 남에게 보이기 전에 한번 읽어 보세요.",
                "Saved: \(path.printable). Keys and addresses are taken out; read it before you show it to others."))
        return answer
    }
}
