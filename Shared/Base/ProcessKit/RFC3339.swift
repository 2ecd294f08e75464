#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// Points in time as text for users and other programs, in UTC: "2026-11-21T08:09:10.123456Z".
public enum RFC3339 {
    /// - Parameter microseconds: Since 1970, as in an event.
    public static func text(microseconds: Int64) -> String {
        // Rounded down, so that times before 1970 also have a positive remainder.
        let (quotient, remainder) = microseconds.quotientAndRemainder(dividingBy: 1_000_000)
        let (seconds, rest) = remainder < 0 ? (quotient - 1, remainder + 1_000_000) : (quotient, remainder)
        let moment = Date(timeIntervalSince1970: Double(seconds)).formatted(.iso8601)
        let digits = String(rest)
        return "\(moment.dropLast()).\(String(repeating: "0", count: 6 - digits.count))\(digits)Z"
    }

    /// The time in microseconds since 1970; nil for invalid text. A text without an offset is UTC.
    public static func microseconds(_ text: String) -> Int64? {
        let pattern =
            /(\d{4}-\d{2}-\d{2})[Tt ]((?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d)?)(?:\.(\d{1,9}))?([Zz]|[+-]\d{2}:\d{2})?/
        guard let match = text.wholeMatch(of: pattern) else { return nil }
        let time = match.2.count == 5 ? "\(match.2):00" : String(match.2)
        let offset = match.4.map { $0.uppercased() } ?? "Z"
        guard let date = try? Date("\(match.1)T\(time)\(offset)", strategy: .iso8601) else { return nil }
        let fraction = (match.3.map(String.init) ?? "").padding(6)
        return Int64(date.timeIntervalSince1970) * 1_000_000 + (Int64(fraction) ?? 0)
    }
}

extension String {
    /// The first `count` characters, padded with zeros.
    fileprivate func padding(_ count: Int) -> String {
        String((self + String(repeating: "0", count: count)).prefix(count))
    }
}
