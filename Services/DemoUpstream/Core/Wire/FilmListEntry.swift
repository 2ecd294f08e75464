import Domain

/// A film as `searchMovieList` shows it, before it is written; what is not known is empty.
struct FilmListEntry: Sendable {
    let code: String
    let title: String
    var titleEnglish = ""
    var productionYear: Int?
    /// "20220105", or "".
    let openDate: String
    var type = ""
    var status = ""
    var nations: [String] = []
    var genres: [String] = []
    var directors: [String] = []
    var companies: [(code: String, name: String)] = []

    init(_ detail: DemoDetail) {
        code = detail.code
        title = detail.title
        titleEnglish = detail.titleEnglish
        productionYear = detail.productionYear
        openDate = detail.openDate
        type = detail.type
        status = detail.status
        nations = detail.nations
        genres = detail.genres
        directors = detail.directors.map(\.name)
        companies = detail.companies.map { ($0.code, $0.name) }
    }

    /// Of a film with a recorded detail, of which only this is read.
    init(_ film: RecordedFilm) {
        code = film.code
        title = film.title
        openDate = film.releaseDay?.compact ?? ""
        productionYear = film.productionYear
        directors = film.directors
        genres = film.genres
        nations = film.nations
    }
}
