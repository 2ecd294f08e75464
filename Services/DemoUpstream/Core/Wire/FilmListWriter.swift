/// Writes a page of the catalogue as `searchMovieList` does: strings all over, but for the total.
enum FilmListWriter {
    static func body(of films: ArraySlice<FilmListEntry>, total: Int) -> [UInt8] {
        let result = OrderedJSON.object([
            ("totCnt", .number(total)), ("source", .string(DetailWriter.source)),
            ("movieList", .array(films.map(row))),
        ])
        return OrderedJSON.object([("movieListResult", result)]).bytes
    }

    private static func row(_ film: FilmListEntry) -> OrderedJSON {
        let fields = [
            ("movieCd", film.code), ("movieNm", film.title), ("movieNmEn", film.titleEnglish),
            ("prdtYear", film.productionYear.map(String.init) ?? ""), ("openDt", film.openDate), ("typeNm", film.type),
            ("prdtStatNm", film.status), ("nationAlt", film.nations.joined(separator: ",")),
            ("genreAlt", film.genres.joined(separator: ",")), ("repNationNm", film.nations.first ?? ""),
            ("repGenreNm", film.genres.first ?? ""),
        ]
        return .object(
            fields.map { ($0.0, .string($0.1)) } + [
                ("directors", .array(film.directors.map { .object([("peopleNm", .string($0))]) })),
                (
                    "companys",
                    .array(
                        film.companies.map {
                            .object([("companyCd", .string($0.code)), ("companyNm", .string($0.name))])
                        })
                ),
            ])
    }
}
