/// A film as the poster search takes it.
public enum FoundFilm: Sendable, Hashable {
    case code(String)
    case title(String)

    /// As an answer in JSON repeats it.
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
