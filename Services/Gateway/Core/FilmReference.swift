/// How a person names a film.
public enum FilmReference: Sendable, Hashable {
    case code(String)
    case title(String)

    /// Reads a code of KOBIS (its year and four letters or digits) as one, and anything else as a title.
    public init(_ text: String) {
        self = text.wholeMatch(of: /[0-9]{4}[0-9A-Za-z]{4}/) == nil ? .title(text) : .code(text.uppercased())
    }

    /// As an answer in JSON repeats it.
    var asked: (name: StaticString, value: String) {
        switch self {
        case .code(let code): ("code", code)
        case .title(let title): ("title", title)
        }
    }

    var text: String { asked.value }
}
