internal import Domain
internal import Recordings
internal import Upstream

/// The request for a page of the film catalogue.
struct KobisFilmSearch: KobisEndpoint {
    typealias Answer = FilmPage

    let search: FilmSearch

    var path: String { "movie/searchMovieList.json" }

    var query: [(name: String, value: String)] {
        let criteria = [
            ("movieNm", Self.nonBlank(search.title)), ("directorNm", Self.nonBlank(search.director)),
            ("prdtStartYear", search.productionYears.map { "\($0.lowerBound)" }),
            ("prdtEndYear", search.productionYears.map { "\($0.upperBound)" }),
            ("openStartDt", search.openingYears.map { "\($0.lowerBound)" }),
            ("openEndDt", search.openingYears.map { "\($0.upperBound)" }),
        ]
        return criteria.compactMap { name, value in value.map { (name: name, value: $0) } } + [
            ("curPage", "\(search.page)"), ("itemPerPage", "\(search.pageSize)"),
        ]
    }

    /// Nil for a blank criterion, which would match everything.
    private static func nonBlank(_ text: String?) -> String? {
        text.map(\.trimmed).flatMap { $0.isEmpty ? nil : $0 }
    }

    /// The recording always contains the adult films.
    var recordingName: RecordingName? {
        var recorded = search
        recorded.title = Self.nonBlank(search.title)
        recorded.director = Self.nonBlank(search.director)
        recorded.includesAdultFilms = false
        return .films(recorded)
    }

    func answer(from result: FilmListResult?, in response: UpstreamResponse) throws -> FilmPage {
        guard let result else {
            throw response.malformed(
                "\(KobisClient.upstream) answered without \(FilmListResult.rootName).", isRetryable: false)
        }
        return FilmPage(
            total: result.total, films: result.films.filter { search.includesAdultFilms || !$0.isAdult })
    }
}

/// `movieListResult`.
struct FilmListResult: KobisResult {
    static let rootName = "movieListResult"

    let total: FilmCount
    let films: [FilmSummary]

    private enum CodingKeys: String, CodingKey {
        case totCnt, movieList
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        let total: Int = try container.integer(.totCnt)
        guard let count = FilmCount(total) else {
            throw container.unreadable(.totCnt, "\(total) is no number of films")
        }
        self.total = count
        films = try container.decode([FilmListRow].self, forKey: .movieList).map(\.film)
    }
}

/// One film of the list; only its code and its title are required.
private struct FilmListRow: Decodable {
    let film: FilmSummary

    private enum CodingKeys: String, CodingKey {
        case movieCd, movieNm, movieNmEn, prdtYear, openDt, typeNm, prdtStatNm, nationAlt, genreAlt, repGenreNm
        case directors
        // "companys" is the spelling of KOBIS.
        case companys
    }

    init(from decoder: any Decoder) throws {
        let row = try decoder.container(keyedBy: CodingKeys.self)
        let genres = try row.words(.genreAlt)
        // A genre that only this field has marks adult films.
        let first = try row.textIfKnown(.repGenreNm).flatMap { genres.contains($0) ? nil : $0 }
        film = FilmSummary(
            code: try row.text(.movieCd),
            title: try row.text(.movieNm),
            titleEnglish: try row.textIfKnown(.movieNmEn),
            productionYear: try row.integerIfKnown(.prdtYear),
            openingDay: try row.dayIfKnown(.openDt),
            openingText: try row.yearOrMonthIfKnown(.openDt),
            type: try row.textIfKnown(.typeNm),
            status: try row.textIfKnown(.prdtStatNm),
            nations: try row.words(.nationAlt),
            genres: [first].compactMap(\.self) + genres,
            directors: try row.list(.directors, of: PersonRow.self).compactMap(\.director),
            companies: try row.list(.companys, of: CompanyRow.self).compactMap(\.company?.name))
    }
}
