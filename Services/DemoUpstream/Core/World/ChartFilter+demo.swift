import BoxOffice

extension ChartFilter {
    /// A filtered chart is ranked anew among the films it admits.
    func admits(_ film: DemoFilm) -> Bool {
        if let nation, film.isKorean != (nation == .korean) { return false }
        if let diversity, film.isDiverse != (diversity == .diverse) { return false }
        return true
    }
}
