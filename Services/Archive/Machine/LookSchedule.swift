public import Domain

/// When the archive looks at charts that nobody asks for: KOBIS overwrites them.
///
/// Yesterday at 00:10, 06:00 and 12:05 in Seoul; at 12:05 also the days that were yesterday one, seven and thirty days
/// ago. That is six calls a day.
public enum LookSchedule {
    public struct Look: Sendable, Hashable {
        public let day: Day
        /// Unix time in seconds: an answer that was fetched later needs no look.
        public let moment: Double

        public init(day: Day, moment: Double) {
            self.day = day
            self.moment = moment
        }
    }

    /// Seconds after midnight in Seoul.
    private static let times: [Double] = [10 * 60, 6 * 3600, 12 * 3600 + 5 * 60]
    private static let ages = [1, 7, 30]

    /// The looks that are due: of each day the latest one within the last 24 hours.
    ///
    /// - Parameter now: Unix time in seconds.
    public static func due(now: Double) -> [Look] {
        var moments: [Day: Double] = [:]
        for look in looks(around: now) where look.moment <= now && look.moment > now - 86_400 {
            moments[look.day] = max(moments[look.day] ?? 0, look.moment)
        }
        return moments.map { Look(day: $0.key, moment: $0.value) }.sorted { $0.day > $1.day }
    }

    /// The moment of the next look, in Unix time.
    public static func next(after now: Double) -> Double {
        looks(around: now).map(\.moment).filter { $0 > now }.min() ?? now + 86_400
    }

    /// The looks of the day before, of this day and of the next one in Seoul.
    private static func looks(around now: Double) -> [Look] {
        let today = Day.inSeoul(secondsSinceEpoch: now)
        return [-1, 0, 1].flatMap { offset in
            let day = today.advanced(by: offset)
            let midnight = Double(day.daysSinceEpoch) * 86_400 - 9 * 3600
            let yesterdays = times.map { Look(day: day.advanced(by: -1), moment: midnight + $0) }
            return yesterdays
                + ages.map { Look(day: day.advanced(by: -1 - $0), moment: midnight + (times.last ?? 0)) }
        }
    }
}
