#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// The time of day, passed as a dependency; durations are measured on the monotonic clock instead.
public struct WallClock: Sendable {
    /// Seconds since 1970.
    public let now: @Sendable () -> Double

    public init(_ now: @escaping @Sendable () -> Double) {
        self.now = now
    }

    public static let system = WallClock { Date().timeIntervalSince1970 }

    public var microseconds: Int64 { Int64(now() * 1_000_000) }
    public var milliseconds: Int64 { Int64(now() * 1000) }
}
