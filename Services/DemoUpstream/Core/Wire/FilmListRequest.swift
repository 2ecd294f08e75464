import Domain

/// A request of the film search; invalid values are ignored, as by KOBIS.
struct FilmListRequest: Sendable {
    /// The search, which also names its recording.
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
            page: parameters["curPage"].flatMap { Int($0) }.flatMap(PageNumber.init) ?? 1,
            pageSize: parameters["itemPerPage"].flatMap { Int($0) }.flatMap(PageSize.init) ?? 10)
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

    private static func lies(_ year: Int?, in years: ClosedRange<Year>?) -> Bool {
        guard let years else { return true }
        return year.flatMap(Year.init).map(years.contains) ?? false
    }

    private static func years(_ first: String?, _ last: String?) -> ClosedRange<Year>? {
        func year(_ text: String?) -> Year? { text.flatMap { Int($0) }.map(Year.init(clamping:)) }
        let (lower, upper) = (year(first), year(last))
        guard lower != nil || upper != nil else { return nil }
        let (start, end) = (lower ?? Year(clamping: .min), upper ?? Year(clamping: .max))
        return start <= end ? start...end : nil
    }
}
