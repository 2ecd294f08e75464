/// The answer of `searchMovieInfo` about a film, before it is written as KOBIS's strings.
struct DemoDetail: Sendable {
    struct Actor: Sendable {
        let person: DemoPerson
        /// Empty for three actors in ten, and for every foreign film.
        let role: String
    }

    struct Company: Sendable {
        let code: String
        let name: String
        let nameEnglish: String
        let part: String
    }

    struct Audit: Sendable {
        let number: String
        let grade: String
    }

    let code: String
    let title: String
    let titleEnglish: String
    let titleOriginal: String
    let minutes: Int?
    let productionYear: Int
    /// "20220105", or "" when no date is known.
    let openDate: String
    let status: String
    let type: String
    let nations: [String]
    let genres: [String]
    let directors: [DemoPerson]
    let actors: [Actor]
    let showTypes: [FilmVocabulary.ShowType]
    let companies: [Company]
    let audits: [Audit]
    let staffs: [(person: DemoPerson, role: String)]
}
