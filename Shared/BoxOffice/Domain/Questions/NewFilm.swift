/// A film's entry into the ten.
public struct NewFilm: Codable, Sendable, Equatable {
    public enum Kind: String, Codable, Sendable, CaseIterable {
        /// Its first day in the ten since it opened.
        case release
        /// It opened more than `FilmRun.longestGap` days before, and was outside the ten that long.
        case rerelease
        /// It may have been in the ten on one of the days before, whose charts are not known.
        case unclear
    }

    public let kind: Kind
    public let code: String
    public let title: String
    public let openingDay: Day?
    /// Its first day in the ten.
    public let day: Day
    public let rank: Int
    public let audience: Int
    public let isProvisional: Bool

    public init(
        _ kind: Kind, code: String, title: String, openingDay: Day?, day: Day, rank: Int, audience: Int,
        isProvisional: Bool
    ) {
        self.kind = kind
        self.code = code
        self.title = title
        self.openingDay = openingDay
        self.day = day
        self.rank = rank
        self.audience = audience
        self.isProvisional = isProvisional
    }
}

extension NewFilm.Kind {
    /// The days before an entry that tell what it is.
    public static func daysBefore(_ day: Day) -> ClosedRange<Day> {
        let first = max(day.advanced(by: -FilmRun.longestGap), .firstChart)
        return min(first, day.advanced(by: -1))...day.advanced(by: -1)
    }

    /// - Parameters:
    ///   - day: of the first row in the range.
    ///   - lastDay: of the last row before that is known.
    ///   - isKnown: whether the charts of a range of days are all known.
    /// - Returns: nil when the film only came back into the ten.
    public init?(openedOn opening: Day?, day: Day, lastDay: Day?, isKnown: (ClosedRange<Day>) -> Bool) {
        // Previews seldom reach the ten: the day of release is taken for the first one.
        if opening == day, lastDay == nil {
            self = .release
            return
        }
        let before = Self.daysBefore(day)
        if let lastDay, before.contains(lastDay) { return nil }
        let age = opening.map { day.days(since: $0) }
        if let opening, let age, age <= FilmRun.longestGap {
            // Previews before the range are days in the ten as well.
            let first = min(max(before.lowerBound, opening.advanced(by: -14)), before.upperBound)
            self = isKnown(first...before.upperBound) ? .release : .unclear
        } else {
            guard isKnown(before) else {
                self = .unclear
                return
            }
            self = age == nil ? .release : .rerelease
        }
    }
}
