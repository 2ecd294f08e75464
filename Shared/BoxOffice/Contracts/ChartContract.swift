public import Domain

/// Requests a chart from chart-fetcher; the reply's payload is a `Chart`.
public struct ChartRequest: PartRequest, Equatable {
    public static let service = ServiceName.chartFetcher
    public static let dailyKind = "chart.daily"
    public static let weeklyKind = "chart.weekly"
    public static let weekendKind = "chart.weekend"
    public static let weekdaysKind = "chart.weekdays"
    public static let kinds = [dailyKind, weeklyKind, weekendKind, weekdaysKind]

    public let selection: ChartSelection
    /// Fetches the chart even if a fresh one is stored.
    public let isRefresh: Bool

    public init(_ selection: ChartSelection, isRefresh: Bool) {
        self.selection = selection
        self.isRefresh = isRefresh
    }

    public var kind: String {
        switch selection.kind {
        case .daily: Self.dailyKind
        case .weekly: Self.weeklyKind
        case .weekend: Self.weekendKind
        case .weekdays: Self.weekdaysKind
        }
    }

    /// The first day identifies a week, so that all days of the week have the same key.
    public var cacheKey: String {
        CacheKey.make(
            kind,
            [
                ("date", selection.days.lowerBound.iso), ("region", selection.filter.region?.rawValue),
                ("nation", selection.filter.nation?.rawValue), ("diversity", selection.filter.diversity?.rawValue),
            ])
    }

    /// The chart of the whole country that is stored under a key; nil for another key.
    public static func unfilteredSelection(ofKey key: String) -> ChartSelection? {
        for kind in ChartKind.allCases {
            guard let day = Day(iso: String(key.suffix(10))) else { return nil }
            let selection = ChartSelection(kind, around: day)
            if ChartRequest(selection, isRefresh: false).cacheKey == key { return selection }
        }
        return nil
    }

    /// The attribute of a stored chart that lists its films' codes, comma separated.
    public static let filmsAttribute = "films"
}

extension ChartRequest {
    private enum CodingKeys: CodingKey {
        case isRefresh
    }

    public init(from decoder: any Decoder) throws {
        selection = try ChartSelection(from: decoder)
        isRefresh = try decoder.container(keyedBy: CodingKeys.self).decode(Bool.self, forKey: .isRefresh)
    }

    /// The selection's members and `isRefresh`, in one object.
    public func encode(to encoder: any Encoder) throws {
        try selection.encode(to: encoder)
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(isRefresh, forKey: .isRefresh)
    }
}
