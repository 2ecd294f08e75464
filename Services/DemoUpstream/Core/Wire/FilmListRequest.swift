import BoxOffice

/// What a caller of the film search asked for; what cannot be read is ignored, as KOBIS does.
struct FilmListRequest: Sendable {
    /// As it was asked, and as a recording of it is named.
    let search: FilmSearch
    /// Folded; empty for any.
    let title: String
    private let director: String

    init(_ parameters: QueryParameters) {
        func text(_ name: String) -> String? { parameters[name].flatMap { $0.isEmpty ? nil : $0 } }
        search = FilmSearch(
            title: text("movieNm"), director: text("directorNm"),
            productionYears: Self.years(parameters["prdtStartYear"], parameters["prdtEndYear"]),
            openingYears: Self.years(parameters["openStartDt"], parameters["openEndDt"]),
            page: Self.number(parameters["curPage"], in: 1...1_000_000) ?? 1,
            pageSize: Self.number(parameters["itemPerPage"], in: 1...FilmSearch.maxPageSize) ?? 10)
        title = ImageQuery.folded(search.title ?? "")
        director = ImageQuery.folded(search.director ?? "")
    }

    func fits(_ film: FilmListEntry) -> Bool {
        guard title.isEmpty || ImageQuery.folded(film.title).contains(title) else { return false }
        guard director.isEmpty || film.directors.contains(where: { ImageQuery.folded($0).contains(director) }) else {
            return false
        }
        return Self.lies(Int(film.openDate.prefix(4)), in: search.openingYears)
            && Self.lies(film.productionYear, in: search.productionYears)
    }

    private static func lies(_ year: Int?, in years: ClosedRange<Int>?) -> Bool {
        guard let years else { return true }
        return year.map(years.contains) ?? false
    }

    private static func years(_ first: String?, _ last: String?) -> ClosedRange<Int>? {
        let (lower, upper) = (number(first, in: 1...9999), number(last, in: 1...9999))
        guard lower != nil || upper != nil, lower ?? 0 <= upper ?? 9999 else { return nil }
        return (lower ?? 0)...(upper ?? 9999)
    }

    private static func number(_ text: String?, in range: ClosedRange<Int>) -> Int? {
        text.flatMap { Int($0) }.flatMap { range.contains($0) ? $0 : nil }
    }
}
