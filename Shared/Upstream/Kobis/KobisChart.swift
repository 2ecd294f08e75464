internal import Domain
internal import Recordings
internal import Upstream

/// The request for a daily or weekly chart.
struct KobisChart: KobisEndpoint {
    typealias Answer = Chart

    let selection: ChartSelection

    var path: String {
        selection.kind == .daily
            ? "boxoffice/searchDailyBoxOfficeList.json" : "boxoffice/searchWeeklyBoxOfficeList.json"
    }

    var query: [(name: String, value: String)] {
        let parameters = [
            ("targetDt", selection.days.lowerBound.compact),
            ("weekGb", selection.kind.weekCode),
            ("repNationCd", selection.filter.nation?.wireCode),
            ("multiMovieYn", selection.filter.diversity?.wireCode),
            ("wideAreaCd", selection.filter.region?.code),
        ]
        return parameters.compactMap { name, value in value.map { (name: name, value: $0) } }
    }

    var recordingName: RecordingName? { .chart(selection) }

    func answer(from result: ChartResult?, in response: UpstreamResponse) throws -> Chart {
        guard let result else { throw malformed("without \(ChartResult.rootName)", in: response) }
        guard let rows = selection.kind == .daily ? result.dailyRows : result.weeklyRows else {
            let list = selection.kind == .daily ? ChartResult.dailyList : ChartResult.weeklyList
            throw malformed("without \(ChartResult.rootName).\(list)", in: response)
        }
        // A chart of other days would be stored under the wrong key. A current week may end yesterday.
        if let shown = result.days {
            guard shown.lowerBound == selection.days.lowerBound, shown.upperBound <= selection.days.upperBound else {
                let other = shown.count == 1 ? "\(shown.lowerBound)" : "\(shown.lowerBound)..\(shown.upperBound)"
                throw malformed("with the chart of \(other) instead of \(selection)", in: response)
            }
        }
        return Chart(selection, entries: rows.map(\.entry))
    }

    private func malformed(_ what: String, in response: UpstreamResponse) -> UpstreamError {
        response.malformed("\(KobisClient.upstream) answered \(what).", isRetryable: false)
    }
}

/// `boxOfficeResult` of all charts.
struct ChartResult: KobisResult {
    static let rootName = "boxOfficeResult"
    static let dailyList = CodingKeys.dailyBoxOfficeList.rawValue
    static let weeklyList = CodingKeys.weeklyBoxOfficeList.rawValue

    let dailyRows: [ChartRow]?
    let weeklyRows: [ChartRow]?
    /// The days of `showRange` ("20220105~20220105"); nil when it is missing.
    let days: ClosedRange<Day>?

    private enum CodingKeys: String, CodingKey {
        case showRange, dailyBoxOfficeList, weeklyBoxOfficeList
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        dailyRows = try container.decodeIfPresent([ChartRow].self, forKey: .dailyBoxOfficeList)
        weeklyRows = try container.decodeIfPresent([ChartRow].self, forKey: .weeklyBoxOfficeList)
        let ends = try container.textIfKnown(.showRange)?.split(separator: "~").map { Day(compact: String($0).trimmed) }
        if let first = ends?.first ?? nil, let last = ends?.last ?? nil, first <= last {
            days = first...last
        } else {
            days = nil
        }
    }
}

extension ChartKind {
    /// `weekGb`; nil for a daily chart.
    fileprivate var weekCode: String? {
        switch self {
        case .daily: nil
        case .weekly: "0"
        case .weekend: "1"
        case .weekdays: "2"
        }
    }
}

extension ChartFilter.Nation {
    /// `repNationCd`.
    fileprivate var wireCode: String {
        switch self {
        case .korean: "K"
        case .foreign: "F"
        }
    }
}

extension ChartFilter.Diversity {
    /// `multiMovieYn`.
    fileprivate var wireCode: String {
        switch self {
        case .diverse: "Y"
        case .commercial: "N"
        }
    }
}
