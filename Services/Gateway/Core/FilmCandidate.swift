import BoxOffice

/// A film of some chart, or of the catalogue, that may be the one that a person means.
struct FilmCandidate: Encodable, Sendable, Equatable {
    let code: String
    let title: String
    let openingDay: Day?

    init(_ entry: ChartEntry) {
        code = entry.code
        title = entry.title
        openingDay = entry.openingDay
    }

    init(_ film: FilmSummary) {
        code = film.code
        title = film.title
        openingDay = film.openingDay
    }

    private enum CodingKeys: CodingKey {
        case code, title, openingDay
    }

    /// Every key is there; a day that is not known is null.
    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(code, forKey: .code)
        try container.encode(title, forKey: .title)
        try container.encode(openingDay, forKey: .openingDay)
    }

    /// The films whose titles hold these words, blanks and capitals aside; one whose title is just that is the only one.
    static func matches(_ title: String, among films: [FilmCandidate]) -> [FilmCandidate] {
        let wanted = plain(title)
        guard !wanted.isEmpty else { return [] }
        var seen: Set<String> = []
        let all = films.filter { seen.insert($0.code).inserted }
        let exact = all.filter { plain($0.title) == wanted }
        return exact.count == 1 ? exact : all.filter { plain($0.title).contains(wanted) }
    }

    private static func plain(_ text: String) -> String {
        text.nfc.lowercased().filter { !$0.isWhitespace }
    }
}
