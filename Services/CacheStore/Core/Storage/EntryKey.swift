/// The name of one stored part, such as `chart.daily?date=2022-01-05`.
///
/// Two spellings of one text (composed and decomposed Hangul) are equal in Swift and different on disk, so keys are
/// written in NFC, with sorted parameters.
public struct EntryKey: Hashable, Sendable {
    public let text: String

    public init(_ text: String) {
        self.text = text
    }

    /// What the entry is: the text before the `?`, such as `chart.daily`.
    public var kind: String {
        prefix { $0 != UInt8(ascii: "?") }
    }

    /// The kind's first word, such as `chart`; kinds of a family share a bound in memory.
    public var family: String {
        prefix { $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: ".") }
    }

    /// Compares bytes, since every access uses this: comparing characters takes ten times as long.
    private func prefix(while isPart: (UInt8) -> Bool) -> String {
        let end = text.utf8.firstIndex { !isPart($0) } ?? text.endIndex
        return String(text[..<end])
    }
}

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
        case .kind(let kind): EntryKey(key).kind == kind
        case .family(let family): EntryKey(key).family == family
        case .everything: true
        }
    }
}
