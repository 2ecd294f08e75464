/// How a user names a film.
public enum FilmReference: Sendable, Hashable {
    case code(String)
    /// By its rank in a day's chart.
    case rank(Int)
    case title(String)

    /// Parses a code of KOBIS (its year and four letters or digits) or a rank (#3, 3위); any other text is a title.
    public init(_ text: String) {
        if text.wholeMatch(of: /[0-9]{4}[0-9A-Za-z]{4}/) != nil {
            self = .code(text.uppercased())
        } else if let rank = text.wholeMatch(of: /#([0-9]{1,4})|([0-9]{1,4})위/).flatMap({ Int($0.1 ?? $0.2 ?? "") }) {
            self = .rank(rank)
        } else {
            self = .title(text)
        }
    }

    /// The member's name and value that repeat it in a JSON answer.
    public var asked: (name: StaticString, value: String) {
        switch self {
        case .code(let code): ("code", code)
        case .rank(let rank): ("rank", "#\(rank)")
        case .title(let title): ("title", title)
        }
    }

    public var text: String { asked.value }
}

/// A film in the form that the poster search accepts.
public enum FoundFilm: Sendable, Hashable {
    case code(String)
    case title(String)

    /// The member's name and value that repeat it in a JSON answer.
    public var asked: (name: StaticString, value: String) {
        switch self {
        case .code(let code): ("code", code)
        case .title(let title): ("title", title)
        }
    }

    /// nil for a film that is known by its title alone.
    public var code: String? {
        guard case .code(let code) = self else { return nil }
        return code
    }
}
