/// Which films a chart is made of; a filtered chart is ranked anew among the films it admits.
///
/// `wideAreaCd` (a region) is not modelled: the demo ignores it, as KOBIS ignores parameters it does not know.
struct ChartFilter: Hashable, Sendable {
    enum Nation: String, Sendable {
        case korean = "K"
        case foreign = "F"
    }

    enum Diversity: String, Sendable {
        case diverse = "Y"
        case commercial = "N"
    }

    static let everything = ChartFilter()

    let nation: Nation?
    let diversity: Diversity?

    init(nation: Nation? = nil, diversity: Diversity? = nil) {
        self.nation = nation
        self.diversity = diversity
    }

    func admits(_ film: DemoFilm) -> Bool {
        if let nation, film.isKorean != (nation == .korean) { return false }
        if let diversity, film.isDiverse != (diversity == .diverse) { return false }
        return true
    }
}
