/// A calendar month: "2022-01".
public struct Month: Hashable, Sendable {
    public let firstDay: Day

    /// The month that contains the day.
    public init(of day: Day) {
        firstDay = day.advanced(by: 1 - day.components.day)
    }

    /// Parses "2022-01"; nil for other text.
    public init?(iso text: some StringProtocol) {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count == 2, let year = Int(parts[0]), let number = Int(parts[1]),
            let day = Day(year: year, month: number, day: 1)
        else { return nil }
        firstDay = day
        guard iso == text else { return nil }
    }

    public var year: Int { firstDay.components.year }
    /// 1 to 12.
    public var number: Int { firstDay.components.month }
    public var days: ClosedRange<Day> { firstDay...next.firstDay.advanced(by: -1) }
    public var iso: String { String(firstDay.iso.prefix(7)) }

    public var next: Month { Month(of: firstDay.advanced(by: 31)) }
    public var previous: Month { Month(of: firstDay.advanced(by: -1)) }

    /// The weeks that have days of the month, first to last.
    public var weeks: [Week] {
        let (first, last) = (Week(of: days.lowerBound), Week(of: days.upperBound))
        return stride(from: first.monday, through: last.monday, by: 7).map(Week.init(of:))
    }
}
