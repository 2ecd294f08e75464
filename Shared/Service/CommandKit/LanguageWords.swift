public import Localization
public import ProcessKit

/// The words of a command line without `--lang`, which may stand before or after the command.
///
/// Uses no regular expressions: each costs a millisecond before its first use.
public struct LanguageWords: Sendable {
    public let words: [String]
    /// The value of the last `--lang`; nil without one.
    public let language: Language?

    /// - Throws: `StartupError` for a language that there is not, and for an argument that is not valid text: Swift has
    ///   put replacement characters into it.
    public init(_ arguments: [String]) throws(StartupError) {
        if let place = arguments.firstIndex(where: { $0.unicodeScalars.contains("\u{FFFD}") }) {
            throw .usage("\(place + 1)번째 인자가 UTF-8 글이 아닙니다.", "Argument \(place + 1) is no UTF-8 text.")
        }
        var options = arguments.prefix { $0 != "--" }
        let operands = arguments[options.endIndex...]
        var (kept, values): ([String], [String]) = ([], [])
        let name = "--lang"
        while let word = options.popFirst() {
            if word == name {
                values.append(options.popFirst() ?? "")
            } else if word.hasPrefix("\(name)=") {
                values.append(String(word.dropFirst(name.count + 1)))
            } else {
                kept.append(word)
            }
        }
        let languages = values.map(Language.init)
        guard !languages.contains(nil) else { throw .usage("--lang은 ko나 en입니다.", "--lang takes ko or en.") }
        language = languages.last ?? nil
        words = kept + operands
    }
}
