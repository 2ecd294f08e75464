import Domain

/// Answers as KOBIS does: key first, then the parameters, then the recordings, then the generated world.
struct DemoKobis: Sendable {
    static let chartPath = "/kobisopenapi/webservice/rest/boxoffice/searchDailyBoxOfficeList.json"
    static let weekPath = "/kobisopenapi/webservice/rest/boxoffice/searchWeeklyBoxOfficeList.json"
    static let searchPath = "/kobisopenapi/webservice/rest/movie/searchMovieList.json"
    static let detailPath = "/kobisopenapi/webservice/rest/movie/searchMovieInfo.json"

    let world: DemoWorld
    let catalog: DemoFilmCatalog
    let recordings: RecordingOverlay
    /// Unix time in seconds.
    let clock: @Sendable () -> Double

    /// A day's chart, or that of some days of a week.
    ///
    /// A recorded chart is never cut or filtered: `itemPerPage` does not shorten it, and a request with a filter is answered
    /// from the generated world.
    ///
    /// - Parameters:
    ///   - kind: nil for that of a week, which `weekGb` then chooses.
    ///   - lacksCorrections: whether KOBIS still counts, whatever the time.
    func chart(_ kind: ChartKind?, _ parameters: QueryParameters, lacksCorrections: Bool = false) -> DemoAnswer {
        guard Self.isKey(parameters["key"]) else { return .fault(.invalidKey) }
        guard let text = parameters["targetDt"], !text.isEmpty else { return .fault(.missingDate) }
        guard let day = Day(compact: text) else { return .fault(.malformedDate(text)) }
        guard let kind = kind ?? Self.week(parameters["weekGb"]) else { return .fault(.malformedWeek) }
        let selection = ChartSelection(kind, around: day, filter: Self.filter(parameters))
        if let body = recordings.charts[selection] { return DemoAnswer(body: body, origin: .recorded) }
        let wanted = parameters["itemPerPage"].flatMap { Int($0) } ?? 10
        let rows = (1...10).contains(wanted) ? wanted : 10
        let chart = world.chart(selection, lastPublished: today.advanced(by: -1), rows: rows)
        // Until noon of the next day KOBIS still counts.
        let isCounting = lacksCorrections || chart.days.upperBound == today.advanced(by: -1) && secondOfDay < 12 * 3600
        return DemoAnswer(body: ChartWriter.body(of: isCounting ? chart.stillCounted(seed: world.seed) : chart))
    }

    /// Ignores unknown values, as KOBIS does.
    private static func filter(_ parameters: QueryParameters) -> ChartFilter {
        ChartFilter(
            region: Region.allCases.first { $0.code == parameters["wideAreaCd"] },
            nation: ["K": .korean, "F": .foreign][parameters["repNationCd"] ?? ""],
            diversity: ["Y": .diverse, "N": .commercial][parameters["multiMovieYn"] ?? ""])
    }

    private static func week(_ code: String?) -> ChartKind? {
        switch code {
        case "0": .weekly
        case "1", nil, "": .weekend
        case "2": .weekdays
        default: nil
        }
    }

    /// A film's record; `DetailWriter.unknownFilm` documents the answer to an unknown code.
    func detail(_ parameters: QueryParameters) -> DemoAnswer {
        guard Self.isKey(parameters["key"]) else { return .fault(.invalidKey) }
        guard let code = parameters["movieCd"], !code.isEmpty else { return .fault(.missingFilmCode) }
        if let body = recordings.details[code] { return DemoAnswer(body: body, origin: .recorded) }
        if let film = recordings.films[code] {
            let detail = film.derivedDetail(seed: world.seed, today: today)
            return DemoAnswer(body: DetailWriter.body(of: detail), origin: .derived)
        }
        guard let film = world.film(code: code) else { return DemoAnswer(body: DetailWriter.unknownFilm()) }
        return DemoAnswer(body: DetailWriter.body(of: film.detail(today: today)))
    }

    /// A page of the matching films: those of the recordings, then the generated ones, the latest first.
    func films(_ parameters: QueryParameters) -> DemoAnswer {
        guard Self.isKey(parameters["key"]) else { return .fault(.invalidKey) }
        let wanted = FilmListRequest(parameters)
        if let body = recordings.searches[wanted.search] { return DemoAnswer(body: body, origin: .recorded) }
        let recorded = recordings.films.values.sorted { $0.code > $1.code }.map { film in
            recordings.details[film.code] == nil
                ? FilmListEntry(film.derivedDetail(seed: world.seed, today: today)) : FilmListEntry(film)
        }
        let generated =
            wanted.title.isEmpty
            ? catalog.allEntries(today: today)
            : catalog.films(withTitlesContaining: wanted.title).map { FilmListEntry($0.detail(today: today)) }
        let films = recorded.filter(wanted.fits) + generated.filter(wanted.fits)
        let start = min(films.count, (wanted.search.page.value - 1) * wanted.search.pageSize.value)
        let page = films[start..<min(films.count, start + wanted.search.pageSize.value)]
        return DemoAnswer(body: FilmListWriter.body(of: page, total: films.count))
    }

    private var today: Day { .inSeoul(secondsSinceEpoch: clock()) }

    /// In Seoul.
    private var secondOfDay: Double { (clock() + 9 * 3600).truncatingRemainder(dividingBy: 86_400) }

    /// Accepts any 32 letters and digits: the demo has no registered keys.
    private static func isKey(_ key: String?) -> Bool {
        guard let key, key.utf8.count == 32 else { return false }
        return key.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber) }
    }
}
