/// A text that denotes no range of days with charts.
public enum DayRangeError: Error, Sendable, Equatable {
    case notARange(String)
    /// The end is before the start; and the range the other way round, as it was written.
    case reversed(first: Day, last: Day, turned: String)
    /// All its days are before the first chart, or not over.
    case outOfRange(first: Day, last: Day)
}

/// Parses ranges of days: 2022, 2022-01, 2022년 1월, 2022-W01, 지난주, last-week, 지난주말, last-weekend, 지난달,
/// last-month, 작년, last-year, 이번주, this-week, 이번달, this-month, 올해, this-year, A..B, A~B, A.., ..B, and a single day, where A and B are days or periods.
///
/// The end of a period that is not over is yesterday in Seoul, and the start of one is not before the first chart; a day
/// that is named must have a chart.
public struct DayRangeParser: Sendable {
    private let now: Double
    private let today: Day

    /// - Parameter now: Unix time in seconds.
    public init(now: Double) {
        self.now = now
        today = Day.inSeoul(secondsSinceEpoch: now)
    }

    public func parse(_ given: String) throws -> ClosedRange<Day> {
        // As ranges are printed, and written in Korean: A ~ B.
        let text = given.replacing(/\s*~\s*/, with: "..", maxReplacements: 1)
        guard let dots = text.firstRange(of: "..") else { return try clamped(period(text, in: text)) }
        let (left, right) = (String(text[..<dots.lowerBound]), String(text[dots.upperBound...]))
        guard !left.isEmpty || !right.isEmpty else { throw DayRangeError.notARange(text) }
        let first = left.isEmpty ? Day.firstChart : try period(left, in: text).lowerBound
        let last = right.isEmpty ? today.advanced(by: -1) : try period(right, in: text).upperBound
        guard first <= last else { throw DayRangeError.reversed(first: first, last: last, turned: "\(right)..\(left)") }
        return try clamped(first...last)
    }

    /// The days of one period; a day that has no chart is refused.
    private func period(_ text: String, in range: String) throws -> ClosedRange<Day> {
        if let year = ChartPeriod.year(named: text) { return year }
        if let month = Month(iso: text) { return month.days }
        if let week = Week(iso: text) { return week.days }
        if let period = named(text.nfc.lowercased()) ?? korean(text) { return period }
        do {
            let day = try Day.ofChart(text, now: now)
            return day...day
        } catch {
            guard case .notADay = error else { throw error }
            throw DayRangeError.notARange(range)
        }
    }

    /// Whether a text means the weekend before today: KOBIS has a chart of its three days.
    public static func isLastWeekend(_ text: String) -> Bool {
        ["지난주말", "지난 주말", "last-weekend"].contains(text.nfc.lowercased())
    }

    /// The last such period that is over, or the present one until yesterday.
    private func named(_ text: String) -> ClosedRange<Day>? {
        let monday = Week(of: today).monday
        switch text {
        case "지난주", "지난 주", "last-week": return monday.advanced(by: -7)...monday.advanced(by: -1)
        case _ where Self.isLastWeekend(text): return monday.advanced(by: -3)...monday.advanced(by: -1)
        case "지난달", "지난 달", "last-month": return Month(of: today).previous.days
        case "이번주", "이번 주", "this-week": return monday...monday.advanced(by: 6)
        case "이번달", "이번 달", "this-month": return Month(of: today).days
        case "올해", "this-year": return ChartPeriod.year(named: "\(today.components.year)")
        case "작년", "지난해", "last-year": return ChartPeriod.year(named: "\(today.components.year - 1)")
        default: return nil
        }
    }

    /// 2022년, 2022년 1월.
    private func korean(_ text: String) -> ClosedRange<Day>? {
        let parts = text.nfc.split(separator: "년", omittingEmptySubsequences: false)
        guard parts.count == 2, let days = ChartPeriod.year(named: parts[0]) else { return nil }
        let rest = parts[1].drop { $0 == " " }
        guard !rest.isEmpty else { return days }
        guard rest.last == "월", let month = Int(rest.dropLast()) else { return nil }
        return Month(iso: "\(parts[0])-\(month < 10 ? "0" : "")\(month)")?.days
    }

    private func clamped(_ days: ClosedRange<Day>) throws -> ClosedRange<Day> {
        let charted = Day.firstChart...today.advanced(by: -1)
        guard days.overlaps(charted) else {
            throw DayRangeError.outOfRange(first: charted.lowerBound, last: charted.upperBound)
        }
        return days.clamped(to: charted)
    }
}

extension ClosedRange<Day> {
    /// The shortest text that `DayRangeParser` reads as these days: "2022", "2022-01", "2022-01-05..2022-01-31".
    public var written: String {
        if self == ChartPeriod.year.days(around: lowerBound) { return "\(lowerBound.components.year)" }
        let month = Month(of: lowerBound)
        if self == month.days { return month.iso }
        return count == 1 ? lowerBound.iso : "\(lowerBound)..\(upperBound)"
    }
}
