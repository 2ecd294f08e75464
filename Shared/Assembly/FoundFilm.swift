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
