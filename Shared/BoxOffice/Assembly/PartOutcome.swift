public import Envelope

/// The outcome of one part of an answer: exactly one of ok, stale, failed, timeout.
///
/// A class, since an answer passes twenty of them around: a copy then retains one reference instead of one per member.
public final class PartOutcome: Sendable {
    public enum Status: String, Sendable, Codable {
        case ok, stale, failed, timeout
    }

    public let status: Status
    /// The part's public JSON, byte for byte; nil when there is none.
    public let value: [UInt8]?
    /// Bytes beside the value: an image.
    public let attachment: [UInt8]?
    public let failure: Failure?
    public let cache: CacheStatus?
    /// The instance that replied.
    public let sender: String?
    /// Where the value came from; nil when there is none.
    public let source: DataSource?
    /// Attributes beside the value, such as a chart's film codes.
    public let attributes: [String: String]

    private init(
        status: Status, value: [UInt8]?, attachment: [UInt8]? = nil, failure: Failure?, cache: CacheStatus?,
        sender: String?, source: DataSource? = nil, attributes: [String: String] = [:]
    ) {
        self.status = status
        self.value = value
        self.attachment = attachment
        self.failure = failure
        self.cache = cache
        self.sender = sender
        self.source = source
        self.attributes = attributes
    }

    public static func fresh(
        _ value: [UInt8], attachment: [UInt8]? = nil, cache: CacheStatus?, sender: String?,
        source: DataSource = .upstream, attributes: [String: String] = [:]
    ) -> PartOutcome {
        PartOutcome(
            status: .ok, value: value, attachment: attachment, failure: nil, cache: cache, sender: sender,
            source: source, attributes: attributes)
    }

    public static func failed(_ failure: Failure, cache: CacheStatus? = nil, sender: String? = nil) -> PartOutcome {
        PartOutcome(
            status: failure.code == .timeout ? .timeout : .failed, value: nil, failure: failure, cache: cache,
            sender: sender)
    }

    /// A stale value: a fresh one failed with `failure`, or is being fetched.
    public static func stale(
        _ value: [UInt8], attachment: [UInt8]? = nil, failure: Failure?, cache: CacheStatus?, sender: String?,
        source: DataSource = .upstream, attributes: [String: String] = [:]
    ) -> PartOutcome {
        PartOutcome(
            status: .stale, value: value, attachment: attachment, failure: failure, cache: cache, sender: sender,
            source: source, attributes: attributes)
    }

    /// The detail in the cache status of a stale value that is being revalidated.
    public static let revalidating = "revalidating"

    public var isRevalidating: Bool { status == .stale && cache?.detail == Self.revalidating }
}

extension PartOutcome: Equatable {
    public static func == (one: PartOutcome, other: PartOutcome) -> Bool {
        one.status == other.status && one.value == other.value && one.attachment == other.attachment
            && one.failure == other.failure && one.cache == other.cache && one.sender == other.sender
            && one.source == other.source && one.attributes == other.attributes
    }
}
