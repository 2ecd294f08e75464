#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// Moments as people and other programs read them, in UTC: "2026-11-21T08:09:10.123456Z".
public enum RFC3339 {
    /// - Parameter microseconds: since 1970, as an event has them.
    public static func text(microseconds: Int64) -> String {
        // Rounded down, so that what lies before 1970 has a positive rest, too.
        let (quotient, remainder) = microseconds.quotientAndRemainder(dividingBy: 1_000_000)
        let (seconds, rest) = remainder < 0 ? (quotient - 1, remainder + 1_000_000) : (quotient, remainder)
        let moment = Date(timeIntervalSince1970: Double(seconds)).formatted(.iso8601)
        let digits = String(rest)
        return "\(moment.dropLast()).\(String(repeating: "0", count: 6 - digits.count))\(digits)Z"
    }
}
