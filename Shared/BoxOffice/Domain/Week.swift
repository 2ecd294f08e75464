/// A week from Monday to Sunday, with its number of ISO 8601: "2022-W01".
public struct Week: Hashable, Sendable {
    public let monday: Day

    /// The week that contains the day.
    public init(of day: Day) {
        monday = day.advanced(by: 1 - day.weekday)
    }

    /// Parses "2022-W01"; nil for other text, and for a week that its year does not have.
    public init?(iso text: some StringProtocol) {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count == 2, parts[1].first == "W", let year = Int(parts[0]), let number = Int(parts[1].dropFirst()),
            (1...53).contains(number), let january = Day(year: year, month: 1, day: 4)
        else { return nil }
        // The fourth of January is always in the first week.
        self.init(of: january.advanced(by: 7 * (number - 1)))
        guard iso == text else { return nil }
    }

    public var days: ClosedRange<Day> { monday...monday.advanced(by: 6) }

    public var iso: String {
        // A week belongs to the year of its Thursday.
        let thursday = monday.advanced(by: 3)
        let year = thursday.components.year
        let first = Day(year: year, month: 1, day: 1) ?? thursday
        let number = thursday.days(since: first) / 7 + 1
        return "\(thursday.iso.prefix(4))-W\(number < 10 ? "0" : "")\(number)"
    }
}
