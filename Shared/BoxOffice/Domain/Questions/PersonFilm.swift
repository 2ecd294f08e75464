/// A film of a director or an actor.
public struct PersonFilm: Codable, Sendable, Equatable {
    public let code: String
    public let title: String
    public let titleEnglish: String?
    /// As precisely as it is known.
    public let opening: String?
    public let productionYear: Int?
    public let isDirector: Bool
    public let isActor: Bool

    public init(
        code: String, title: String, titleEnglish: String?, opening: String?, productionYear: Int?, isDirector: Bool,
        isActor: Bool
    ) {
        self.code = code
        self.title = title
        self.titleEnglish = titleEnglish
        self.opening = opening
        self.productionYear = productionYear
        self.isDirector = isDirector
        self.isActor = isActor
    }

    /// A film of the catalogue, which names directors only.
    public init(directed film: FilmSummary, isActor: Bool) {
        self.init(
            code: film.code, title: film.title, titleEnglish: film.titleEnglish,
            opening: film.openingDay?.iso ?? film.openingText, productionYear: film.productionYear, isDirector: true,
            isActor: isActor)
    }
}
