internal import EventLog
public import Localization
internal import ProcessKit
public import TerminalText

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#else
    internal import Darwin
#endif

/// How events, exchanges and conversations appear as text.
public struct EventFormat: Sendable {
    /// How moments appear, to the millisecond; JSON has microseconds.
    public enum Time: String, Sendable, CaseIterable {
        /// Of the local clock: "17:09:10.123".
        case local
        /// Since the first shown event: "+1.234".
        case relative
        /// "2026-11-21T08:09:10.123Z".
        case utc
    }

    public let language: Language
    public let style: TextStyle
    private let time: Time
    private let width: @Sendable () -> Int?
    /// The first shown moment, in microseconds since 1970.
    private var origin: Int64?

    /// - Parameter columns: the current width of the terminal, at which long lines continue below; nil for one line each.
    public init(
        _ language: Language, style: TextStyle = .plain, time: Time = .local,
        columns: @escaping @Sendable () -> Int? = { nil }
    ) {
        self.language = language
        self.style = style
        self.time = time
        width = columns
    }

    var columns: Int? { width() }

    /// Makes an event's moment the origin of relative times, unless there is one.
    public mutating func begin(at microseconds: Int64) { origin = origin ?? microseconds }

    /// - Parameter microseconds: since 1970; any number is safe.
    func text(at microseconds: Int64) -> String {
        let milliseconds = Int64((Double(microseconds) / 1000).rounded(.down))
        switch time {
        case .local:
            var (seconds, parts) = (time_t(milliseconds / 1000), tm())
            localtime_r(&seconds, &parts)
            return [parts.tm_hour, parts.tm_min, parts.tm_sec].map { Self.digits(Int64($0), 2) }.joined(separator: ":")
                + "." + Self.digits(milliseconds % 1000, 3)
        case .relative:
            let since = milliseconds - (origin ?? microseconds) / 1000
            return "\(since < 0 ? "-" : "+")\(since.magnitude / 1000).\(Self.digits(Int64(since.magnitude % 1000), 3))"
        case .utc:
            // Without the digits of microseconds.
            return RFC3339.text(microseconds: microseconds).dropLast("456Z".count) + "Z"
        }
    }

    private static func digits(_ number: Int64, _ count: Int) -> String {
        let digits = String(number.magnitude)
        return String(repeating: "0", count: max(0, count - digits.count)) + digits
    }
}
