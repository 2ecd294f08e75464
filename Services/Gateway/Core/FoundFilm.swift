/// A film as a poster can be looked for.
enum FoundFilm: Sendable, Hashable {
    case code(String)
    case title(String)

    /// As an answer in JSON repeats it.
    var asked: (name: StaticString, value: String) {
        switch self {
        case .code(let code): ("code", code)
        case .title(let title): ("title", title)
        }
    }

    /// nil for a film that is known by its title alone.
    var code: String? {
        guard case .code(let code) = self else { return nil }
        return code
    }
}
