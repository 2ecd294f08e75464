import Envelope
public import ServiceKit
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
            findings: findings, settings: settings.settings, stats: examination?.report, quota: examination?.quota,
            cache: examination?.cache, logs: LogEnds.all(in: RunFolder(environment).logFolder))
        let text = String(decoding: try JSONBytes.encode(bundle), as: UTF8.self)
        let redacted = Redaction(environment, host: process.hostName).applied(to: text)
        do {
            try Data("\(redacted)\n".utf8).write(to: URL(fileURLWithPath: path), options: .atomic)
        } catch {
            throw Failure.notWritten(path, error)
        }
        var answer = try presentation.findings(findings)
        answer.notes.append(
            presentation.language(
                "저장했습니다: \(path.printable) — 키와 주소는 뺐지만, 남에게 보이기 전에 한번 읽어 보세요.",
                "Saved: \(path.printable). Keys and addresses are taken out; read it before you show it to others."))
        return answer
    }
}
