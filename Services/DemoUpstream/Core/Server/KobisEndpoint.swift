import BoxOffice

/// Answers as KOBIS does: key first, then the parameters, then the recordings, then the generated world.
struct KobisEndpoint: Sendable {
    static let chartPath = "/kobisopenapi/webservice/rest/boxoffice/searchDailyBoxOfficeList.json"
    static let detailPath = "/kobisopenapi/webservice/rest/movie/searchMovieInfo.json"

    let world: DemoWorld
    let recordings: RecordingOverlay
    /// Unix time in seconds.
    let clock: @Sendable () -> Double

    /// A day's chart. A recorded chart is never cut or filtered: `itemPerPage` does not shorten it, and a request with a
    /// filter is answered from the generated world.
    func chart(_ parameters: QueryParameters) -> Answer {
        guard Self.isKey(parameters["key"]) else { return .fault(.invalidKey) }
        guard let text = parameters["targetDt"], !text.isEmpty else { return .fault(.missingDate) }
        guard let day = Day(compact: text) else { return .fault(.malformedDate(text)) }
        let filter = ChartFilter(
            nation: parameters["repNationCd"].flatMap(ChartFilter.Nation.init),
            diversity: parameters["multiMovieYn"].flatMap(ChartFilter.Diversity.init))
        let isPlain = filter == .everything && (parameters["wideAreaCd"] ?? "").isEmpty
        if isPlain, let body = recordings.charts[day] { return Answer(body: body, origin: .recorded) }
        guard day >= .firstChart, day < today else {
            return Answer(body: ChartWriter.body(of: DemoChart(day: day, rows: [])))
        }
        let wanted = parameters["itemPerPage"].flatMap { Int($0) } ?? 10
        let rows = (1...10).contains(wanted) ? wanted : 10
        return Answer(body: ChartWriter.body(of: world.chart(on: day, of: filter, rows: rows)))
    }

    /// A film's record; what an unknown code gets is told at `DetailWriter.unknownFilm`.
    func detail(_ parameters: QueryParameters) -> Answer {
        guard Self.isKey(parameters["key"]) else { return .fault(.invalidKey) }
        guard let code = parameters["movieCd"], !code.isEmpty else { return .fault(.missingFilmCode) }
        if let body = recordings.details[code] { return Answer(body: body, origin: .recorded) }
        if let film = recordings.films[code] {
            let detail = film.derivedDetail(seed: world.seed, today: today)
            return Answer(body: DetailWriter.body(of: detail), origin: .derived)
        }
        guard let film = world.film(code: code) else { return Answer(body: DetailWriter.unknownFilm()) }
        return Answer(body: DetailWriter.body(of: film.detail(today: today)))
    }

    private var today: Day { .inSeoul(secondsSinceEpoch: clock()) }

    /// Any 32 letters and digits pass: the demo has no members.
    private static func isKey(_ key: String?) -> Bool {
        guard let key, key.utf8.count == 32 else { return false }
        return key.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber) }
    }
}
