import CommandKit
import Localization
import ProcessKit

/// The words of a gateway's command line in the form that the parser accepts.
///
/// Uses no regular expressions: each costs a millisecond before its first use.
struct CommandLineWords: Sendable {
    private(set) var words: [String]
    /// The value of `--lang`; nil without one.
    let language: Language?

    /// --json=names is split into two options, and a date such as -1d is separated from options.
    ///
    /// - Throws: `StartupError` of `LanguageWords`.
    init(_ arguments: [String]) throws(StartupError) {
        let given = try LanguageWords(arguments)
        language = given.language
        let options = given.words.prefix { $0 != "--" }
        let prefix = "--json="
        words =
            options.flatMap { word in
                word.hasPrefix(prefix) && word != prefix
                    ? ["--json", "--fields", String(word.dropFirst(prefix.count))] : [word]
            } + given.words[options.endIndex...]
        guard let index = words.firstIndex(where: Self.isAgo), !words.contains("--") else { return }
        let date = words.remove(at: index)
        if index > 0, words[index - 1] == "--date" {
            words[index - 1] = "--date=\(date)"
        } else {
            words.append(contentsOf: ["--", date])
        }
    }

    /// -1d, -30d, -2w, -1m, -1y, and a range that begins so, as -30d.. or -7d..-1d.
    private static func isAgo(_ word: String) -> Bool {
        let start = word.firstRange(of: "..").map { word[..<$0.lowerBound] } ?? word[...]
        return start.utf8.count > 2 && start.hasPrefix("-") && "dwmy".contains(start.last ?? " ")
            && start.utf8.dropFirst().dropLast().allSatisfy { 0x30...0x39 ~= $0 }
    }
}
