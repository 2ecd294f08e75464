public import Domain

/// The days whose charts a question about a film's run needs.
///
/// A film has previews before it opens, and a run is over when the film has been outside the ten for three weeks.
public enum RunWindow {
    private static let before = 7
    private static let after = 21

    /// Those of the present run first, then those around the opening day.
    ///
    /// - Parameters:
    ///   - charted: the days with a row of the film, in order.
    ///   - last: the last day of the answer.
    public static func ranges(charted: [Day], opening: Day?, until last: Day) -> [ClosedRange<Day>] {
        let present = charted.last.map { around(presentStart(charted)...$0) }
        // A day is "opening" only while the film may have had a run from there.
        let release = opening.map { around($0...$0) }
        return [present, release].compactMap { $0.flatMap { clipped($0, until: last) } }
    }

    /// From before the first row, or the opening, until after the last row.
    public static func span(charted: [Day], opening: Day?, until last: Day) -> ClosedRange<Day>? {
        let days = [charted.first, charted.last, opening].compactMap(\.self)
        guard let first = days.min(), let end = days.max() else { return nil }
        return clipped(around(first...end), until: last)
    }

    private static func presentStart(_ charted: [Day]) -> Day {
        var start = charted[charted.count - 1]
        for day in charted.reversed() {
            guard start.days(since: day) <= FilmRun.longestGap else { break }
            start = day
        }
        return start
    }

    private static func around(_ days: ClosedRange<Day>) -> ClosedRange<Day> {
        days.lowerBound.advanced(by: -before)...days.upperBound.advanced(by: after)
    }

    private static func clipped(_ days: ClosedRange<Day>, until last: Day) -> ClosedRange<Day>? {
        let possible = Day.firstChart...max(last, Day.firstChart)
        return days.overlaps(possible) ? days.clamped(to: possible) : nil
    }
}
