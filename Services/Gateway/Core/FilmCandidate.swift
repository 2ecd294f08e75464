import BoxOffice

/// A film of some chart that may be the one that a person means.
struct FilmCandidate: Encodable, Sendable, Equatable {
    let code: String
    let title: String
    let openingDay: Day?

    init(_ entry: ChartEntry) {
        code = entry.code
        title = entry.title
        openingDay = entry.openingDay
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
    static func matches(_ title: String, in charts: [Chart]) -> [FilmCandidate] {
        let wanted = plain(title)
        guard !wanted.isEmpty else { return [] }
        var seen: Set<String> = []
        let all = charts.flatMap(\.entries).filter { seen.insert($0.code).inserted }
        let exact = all.filter { plain($0.title) == wanted }
        let found = exact.count == 1 ? exact : all.filter { plain($0.title).contains(wanted) }
        return found.map(FilmCandidate.init)
    }

    private static func plain(_ text: String) -> String {
        text.nfc.lowercased().filter { !$0.isWhitespace }
    }
}
