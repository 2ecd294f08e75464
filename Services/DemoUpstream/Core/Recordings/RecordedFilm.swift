import Domain

/// A film that a recorded chart or detail names, for which detail and posters may have to be invented.
struct RecordedFilm: Sendable, Equatable {
    let code: String
    let title: String
    /// nil when upstream knows none (" " in charts, "" in details).
    let releaseDay: Day?
    // Charts lack the following values, and searches have only some of them.
    var productionYear: Int?
    var directors: [String] = []
    var genres: [String] = []
    var nations: [String] = []

    init(code: String, title: String, releaseDay: Day?) {
        self.code = code
        self.title = title
        self.releaseDay = releaseDay
    }

    init(_ film: RecordedBody.Film) {
        self.init(code: film.movieCd, title: film.movieNm, releaseDay: film.openDt.flatMap(Day.init(compact:)))
        productionYear = film.prdtYear.flatMap { Int($0) }
        directors = (film.directors ?? []).map(\.peopleNm)
        genres = (film.genres ?? []).map(\.genreNm)
        nations = (film.nations ?? []).map(\.nationNm)
    }

    /// A detail for a film that has a recorded row and no recorded detail: its title and date are real, the rest is demo.
    func derivedDetail(seed: UInt64, today: Day) -> DemoDetail {
        var random = SplitMix64(seed: seed &+ 6, text: code)
        let sketch = DetailSketch(
            code: code, title: DemoTitle(korean: title, english: ""), isKorean: true,
            releaseDay: releaseDay, isReleased: releaseDay.map { $0 <= today } ?? true, hasGaps: false)
        return sketch.detail(&random)
    }
}
