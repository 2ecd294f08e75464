internal import BoxOffice

/// The question for the chart of a day.
struct KobisDailyChart: KobisEndpoint {
    typealias Answer = DailyChart

    let day: Day

    var path: String { "boxoffice/searchDailyBoxOfficeList.json" }

    var query: [(name: String, value: String)] { [("targetDt", day.compact)] }

    func answer(from result: ChartResult?, in response: UpstreamResponse) throws -> DailyChart {
        guard let result else {
            throw response.malformed(
                "\(KobisClient.upstream) answered without \(ChartResult.rootName).", isRetriable: false)
        }
        // A chart of another day would be stored as this day's.
        if let shown = result.firstDay, shown != day {
            throw response.malformed(
                "\(KobisClient.upstream) answered with the chart of \(shown) instead of \(day).", isRetriable: false)
        }
        return DailyChart(date: day, entries: result.entries)
    }
}

/// `boxOfficeResult` of the daily chart.
struct ChartResult: KobisResult {
    static let rootName = "boxOfficeResult"

    let entries: [ChartEntry]
    /// The day in `showRange` ("20220105~20220105"); nil when it is not told.
    let firstDay: Day?

    private enum CodingKeys: String, CodingKey {
        case showRange, dailyBoxOfficeList
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        entries = try container.decode([ChartRow].self, forKey: .dailyBoxOfficeList).map(\.entry)
        firstDay = try container.textIfKnown(.showRange)?.split(separator: "~").first
            .flatMap { Day(compact: String($0).trimmed) }
    }
}
