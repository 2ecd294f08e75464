extension ChartEntry {
    /// The change of rank since the day before; a new film has no direction.
    public var movement: Movement {
        switch rankChange {
        case _ where presence == .new: .new
        case 1...: .up(rankChange)
        // External text can contain the one integer whose negation overflows.
        case ..<0: .down(rankChange == .min ? .max : -rankChange)
        default: .same
        }
    }

    /// Whether a "new" film is a re-entry: it opened more than fourteen days before the chart's date.
    ///
    /// KOBIS reports every film as new that was not ranked the day before. False without an opening day.
    public func isReentry(on date: Day) -> Bool {
        guard presence == .new, let openingDay else { return false }
        return date.days(since: openingDay) > 14
    }
}
