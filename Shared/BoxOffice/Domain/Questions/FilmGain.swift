/// What a film gained in a range of days, as far as the charts tell.
///
/// A row states the total at the end of its days, so that two rows give what was gained between them, also on days when
/// the film was outside the ten.
public struct FilmGain: Codable, Sendable, Equatable {
    public let code: String
    public let title: String
    public let openingDay: Day?
    /// The admissions: at least this many, and exactly this many when `isExact`.
    public let audience: Int
    /// In won, as `audience`.
    public let sales: Int64
    public let isExact: Bool
    /// The number of charts of the range with the film.
    public let charts: Int
    /// The first and the last day of those charts.
    public let first: Day
    public let last: Day

    /// What a row of the film says.
    public struct Edge: Sendable, Equatable {
        /// The days of its chart.
        public let days: ClosedRange<Day>
        public let audience: Int
        public let audienceTotal: Int
        public let sales: Int64
        public let salesTotal: Int64

        public init(days: ClosedRange<Day>, audience: Int, audienceTotal: Int, sales: Int64, salesTotal: Int64) {
            self.days = days
            self.audience = audience
            self.audienceTotal = audienceTotal
            self.sales = sales
            self.salesTotal = salesTotal
        }
    }

    /// A total includes previews of up to about a month before the opening day: a film that opens later than that after
    /// the start of a range had none before it.
    private static let previewDays = 30

    /// - Parameters:
    ///   - days: the range.
    ///   - first: the film's first row in it.
    ///   - last: its last row in it.
    ///   - eve: its row in the chart that ends on the day before the range; nil when it was outside the ten then.
    public init(
        code: String, title: String, openingDay: Day?, in days: ClosedRange<Day>, first: Edge, last: Edge, eve: Edge?,
        charts: Int
    ) {
        self.code = code
        self.title = title
        self.openingDay = openingDay
        self.charts = charts
        self.first = first.days.lowerBound
        self.last = last.days.upperBound
        // A message may contain any number: the differences wrap instead of trapping.
        var before = (audience: first.audienceTotal &- first.audience, sales: first.salesTotal &- first.sales)
        let isEndKnown = last.days.upperBound == days.upperBound
        var isStartKnown = first.days.lowerBound == days.lowerBound || before == (0, 0)
        if let eve {
            (before, isStartKnown) = ((eve.audienceTotal, eve.salesTotal), true)
        } else if !isStartKnown, isEndKnown, let openingDay,
            openingDay.days(since: days.lowerBound) >= Self.previewDays
        {
            (before, isStartKnown) = ((0, 0), true)
        }
        isExact = isStartKnown && isEndKnown
        audience = last.audienceTotal &- before.audience
        sales = last.salesTotal &- before.sales
    }

    /// The same figures, or greater ones, as bounds of a longer range.
    ///
    /// - Parameters:
    ///   - audience: nil: that of the film, and so on.
    ///   - charts: nil: as many as the figures rest on.
    public init(boundOf gain: FilmGain, audience: Int? = nil, sales: Int64? = nil, charts: Int? = nil) {
        (code, title, openingDay) = (gain.code, gain.title, gain.openingDay)
        (self.audience, self.sales, isExact) = (audience ?? gain.audience, sales ?? gain.sales, false)
        (self.charts, first, last) = (charts ?? gain.charts, gain.first, gain.last)
    }
}

extension FilmGain {
    /// What films gained by their weekly charts, or by those daily charts that are known when these tell more.
    ///
    /// - Parameters:
    ///   - weeks: their charts are counted.
    ///   - days: of a range that contains the weeks.
    ///   - isWhole: whether the range has no other days than the weeks.
    public static func greatest(weeks: [FilmGain], days: [FilmGain], isWhole: Bool) -> [FilmGain] {
        var rest = Dictionary(days.map { ($0.code, $0) }, uniquingKeysWith: { $1 })
        let weekly = weeks.map { week in
            guard let day = rest.removeValue(forKey: week.code), !(week.isExact && isWhole) else { return week }
            return FilmGain(
                boundOf: week, audience: max(week.audience, day.audience), sales: max(week.sales, day.sales))
        }
        return weekly + rest.values.map { FilmGain(boundOf: $0, charts: 0) }
    }

    /// What films are ordered by.
    public enum Order: String, Codable, Sendable, CaseIterable {
        case audience, sales
        /// The number of days in the ten.
        case days
    }

    /// Whether this film comes before another one: by what it gained at least.
    public func precedes(_ other: FilmGain, by order: Order) -> Bool {
        let (own, others) =
            switch order {
            case .audience: (Int64(audience), Int64(other.audience))
            case .sales: (sales, other.sales)
            case .days: (Int64(charts), Int64(other.charts))
            }
        return own == others ? code < other.code : own > others
    }
}
