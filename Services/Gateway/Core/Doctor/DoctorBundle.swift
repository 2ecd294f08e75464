import BusSettings
import Contracts
import Envelope
import Inspection
import Localization
import MessageBus
import ProcessKit
import ServiceKit
import TerminalText

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The information that is needed to diagnose a stack, in one file.
struct DoctorBundle: Encodable, Sendable {
    struct System: Encodable, Sendable {
        let name: String
        let cores: Int
    }

    /// RFC 3339 in UTC.
    let created: String
    let version: String
    let system: System
    let findings: [Finding]
    let settings: [Setting]
    /// nil when it was not reported.
    let stats: StatsReport?
    let quota: QuotaListReply?
    let cache: CacheStatsReply?
    /// The last lines of each log, by file name; empty for a stack on another machine.
    let logs: [String: [String]]

    private enum CodingKeys: CodingKey {
        case created, version, system, findings, settings, stats, quota, cache, logs
    }

    /// Encodes every key; unreported values are null.
    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(created, forKey: .created)
        try container.encode(version, forKey: .version)
        try container.encode(system, forKey: .system)
        try container.encode(findings, forKey: .findings)
        try container.encode(settings, forKey: .settings)
        try container.encode(stats, forKey: .stats)
        try container.encode(quota, forKey: .quota)
        try container.encode(cache, forKey: .cache)
        try container.encode(logs, forKey: .logs)
    }
}

extension GatewayCommands {
    /// Checks the stack and writes its report, settings and last log lines to a file that can be shared: without
    /// secrets, the user's name or addresses.
    func doctor(_ report: SettingsReport, bundle path: String) async throws -> Answer {
        let (findings, healthCheck) = try await diagnose()
        let process = ProcessInfo.processInfo
        let bundle = DoctorBundle(
            created: RFC3339.text(microseconds: WallClock.system.microseconds), version: ProductVersion.current,
            system: .init(name: process.operatingSystemVersionString, cores: process.activeProcessorCount),
            findings: findings, settings: report.settings, stats: healthCheck?.report,
            quota: try? healthCheck?.quota.get(),
            cache: try? healthCheck?.cache.get(),
            logs: RunFolder(of: bus.address).map { LogTail.all(in: $0.logFolder) } ?? [:])
        // Redacts each text separately: in encoded JSON secrets may be escaped, and keys must stay.
        let redaction = Redaction(settings, host: process.hostName)
        let tree = try JSONBytes.decode(JSONTree.self, from: JSONBytes.encode(bundle)).mapTexts(redaction.redacted)
        try OutputFile(path: path).write(JSONBytes.encode(tree) + [UInt8(ascii: "\n")], permissions: 0o600)
        var answer = try presentation.findings(findings)
        answer.notes.append(
            presentation.language(
                "저장했습니다: \(path.printable) — 키와 주소는 뺐지만, 남에게 보이기 전에 한번 읽어 보세요.",
                "Saved: \(path.printable). Keys and addresses are taken out; read it before you show it to others."))
        return answer
    }
}

/// The last lines of a stack's logs.
enum LogTail {
    private static let maxLines = 100

    /// By file name; empty without such a folder, as for a stack on another machine.
    static func all(in folder: String) -> [String: [String]] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        let logs = names.filter { $0.hasSuffix(".log") }.map { ($0, lines("\(folder)/\($0)")) }
        return Dictionary(logs) { first, _ in first }
    }

    /// A log that is missing or unreadable has no lines.
    private static func lines(_ path: String) -> [String] {
        let bytes = (try? Data(contentsOf: URL(fileURLWithPath: path))) ?? Data()
        // A crash may have left an incomplete character.
        return String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isNewline).suffix(maxLines).map(
            String.init)
    }
}
