/// A moment as people write it: 2026-01-01 06:00, 2026-01-01T06:00:30, each with Z or +09:00 behind it.
///
/// Without an offset it is in Seoul; a day alone is the end of that day.
public struct Moment: Sendable, Hashable {
    /// Since 1970.
    public let milliseconds: Int64

    public init(milliseconds: Int64) {
        self.milliseconds = milliseconds
    }

    /// Nil for a text of another form.
    public init?(_ text: String) {
        let form =
            /([0-9]{4}-[0-9]{2}-[0-9]{2})(?:[T ]([0-9]{2}):([0-9]{2})(?::([0-9]{2}))?(Z|[+-][0-9]{2}:[0-9]{2})?)?/
        guard let parts = text.wholeMatch(of: form)?.output, let day = Day(iso: String(parts.1)) else { return nil }
        let midnight = Int64(day.daysSinceEpoch) * 86_400
        guard let hour = parts.2.flatMap({ Int64($0) }), let minute = parts.3.flatMap({ Int64($0) }) else {
            milliseconds = (midnight + 86_400 - Self.seoul) * 1000 - 1
            return
        }
        let second = parts.4.flatMap { Int64($0) } ?? 0
        guard hour < 24, minute < 60, second < 60, let offset = Self.offset(parts.5) else { return nil }
        milliseconds = (midnight + hour * 3600 + minute * 60 + second - offset) * 1000
    }

    private static let seoul: Int64 = 9 * 3600

    /// Seconds east of Greenwich; nil for one that does not exist.
    private static func offset(_ text: Substring?) -> Int64? {
        guard let text else { return seoul }
        if text == "Z" { return 0 }
        guard let hours = Int64(text.dropFirst().prefix(2)), let minutes = Int64(text.suffix(2)), hours < 24,
            minutes < 60
        else { return nil }
        return (text.hasPrefix("-") ? -1 : 1) * (hours * 3600 + minutes * 60)
    }
}
