import Envelope

/// How one part of an answer ended: exactly one of ok, stale, failed, timeout.
struct PartOutcome: Sendable, Equatable {
    enum Status: String, Sendable, Codable {
        case ok, stale, failed, timeout
    }

    let status: Status
    /// The part's public JSON, byte for byte; nil when there is none.
    let value: [UInt8]?
    /// What came beside the value: an image.
    var attachment: [UInt8]? = nil
    let failure: Failure?
    let cache: CacheFacts?
    /// Who answered, for `--verbose`.
    let sender: String?
    /// Facts told beside the value, as a chart's film codes.
    let attributes: [String: String]

    static func fresh(_ value: [UInt8], cache: CacheFacts?, sender: String?, attributes: [String: String] = [:])
        -> PartOutcome
    {
        PartOutcome(
            status: .ok, value: value, failure: nil, cache: cache, sender: sender, attributes: attributes)
    }

    static func failed(_ failure: Failure, cache: CacheFacts? = nil, sender: String? = nil) -> PartOutcome {
        PartOutcome(
            status: failure.code == .timeout ? .timeout : .failed, value: nil, failure: failure, cache: cache,
            sender: sender, attributes: [:])
    }

    /// An old value: because of the failure something fresh could not be had, or it is being fetched.
    static func stale(
        _ value: [UInt8], failure: Failure?, cache: CacheFacts?, sender: String?, attributes: [String: String] = [:]
    ) -> PartOutcome {
        PartOutcome(
            status: .stale, value: value, failure: failure, cache: cache, sender: sender, attributes: attributes)
    }

    /// What the cache's facts say of a stale value that is being fetched anew.
    static let revalidating = "revalidating"

    var isRevalidating: Bool { status == .stale && cache?.detail == Self.revalidating }
}
