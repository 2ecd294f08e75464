import Contracts
import Envelope

/// Everything that helps somebody else to see what is wrong with a stack.
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
    /// nil where nobody has told it.
    let stats: StatsReport?
    let quota: QuotaListReply?
    let cache: CacheStatsReply?
    /// The last lines of each log, by its file's name; none of a stack on another machine.
    let logs: [String: [String]]

    private enum CodingKeys: CodingKey {
        case created, version, system, findings, settings, stats, quota, cache, logs
    }

    /// Every key is there; what nobody has told is null.
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
