/// A film's row of one daily chart.
public struct FilmDay: Codable, Sendable, Equatable {
    public let day: Day
    /// Whether KOBIS may still correct it.
    public let isProvisional: Bool
    public let entry: ChartEntry

    public init(day: Day, isProvisional: Bool, entry: ChartEntry) {
        self.day = day
        self.isProvisional = isProvisional
        self.entry = entry
    }

    public var state: ChartState { isProvisional ? .provisional : .settled }

    // External text can contain any number: the differences wrap instead of trapping.

    /// The total before this day: each row states it.
    public var totalBefore: Int { entry.audienceTotal &- entry.audience }
    /// The admissions of the day before; nil when the film had no rank then.
    public var audienceBefore: Int? { entry.presence == .old ? entry.audience &- entry.audienceChange : nil }

    /// Rounded to two decimals; nil when the divisor is 0.
    public var audiencePerScreen: Double? { Self.ratio(Double(entry.audience), Double(entry.screens)) }
    /// Won per admission.
    public var averagePrice: Double? { Self.ratio(Double(entry.salesAmount), Double(entry.audience)) }

    private static func ratio(_ dividend: Double, _ divisor: Double) -> Double? {
        divisor > 0 ? (dividend / divisor * 100).rounded() / 100 : nil
    }
}
