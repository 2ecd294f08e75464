extension ChartEntry {
    /// How the film moved since the day before; a new film has no direction.
    public var movement: Movement {
        switch rankChange {
        case _ where presence == .new: .new
        case 1...: .up(rankChange)
        // A text from outside can hold the one integer whose negation overflows.
        case ..<0: .down(rankChange == .min ? .max : -rankChange)
        default: .same
        }
    }

    /// Whether a "new" film is back rather than new: it opened more than fourteen days before the chart's date.
    ///
    /// KOBIS calls every film new that was not ranked the day before. Without an opening day nobody knows: false.
    public func isReentry(on date: Day) -> Bool {
        guard presence == .new, let openingDay else { return false }
        return date.days(since: openingDay) > 14
    }
}
