/// A selection of entries.
public enum CacheSelection: Hashable, Sendable {
    case key(String)
    /// `chart.daily`.
    case kind(String)
    /// All kinds with this first word: `chart`.
    case family(String)
    case everything

    /// Parses a user's input: a key has a `?`, a kind has a dot.
    public init(_ text: String) {
        if text.contains("?") {
            self = .key(text)
        } else {
            self = text.contains(".") ? .kind(text) : .family(text)
        }
    }

    func includes(_ key: String) -> Bool {
        switch self {
        case .key(let selected): key == selected
        case .kind(let kind): CacheKey(key).kind == kind
        case .family(let family): CacheKey(key).family == family
        case .everything: true
        }
    }
}
