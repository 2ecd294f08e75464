import Localization
import ProcessKit
import TerminalText

/// The words of a command line in the form that the parser accepts.
///
/// Uses no regular expressions: each costs a millisecond before its first use.
struct CommandLineWords: Sendable {
    private(set) var words: [String]

    /// --json=names is split into two options, a date such as -1d is separated from options, and help has a
    /// language.
    ///
    /// - Throws: `StartupError` for an argument that is not valid text: Swift has put replacement characters into it.
    init(_ arguments: [String]) throws {
        if let place = arguments.firstIndex(where: { $0.unicodeScalars.contains("\u{FFFD}") }) {
            throw StartupError.usage(
                "\(place + 1)번째 인자가 UTF-8 글이 아닙니다.", "Argument \(place + 1) is no UTF-8 text.")
        }
        let prefix = "--json="
        words = arguments.flatMap { word in
            word.hasPrefix(prefix) && word != prefix
                ? ["--json", "--fields", String(word.dropFirst(prefix.count))] : [word]
        }
        if words.first == "help" { words = Self.withoutLanguage(words) }
        guard let index = words.firstIndex(where: Self.isDaysAgo), !words.contains("--") else { return }
        let date = words.remove(at: index)
        if index > 0, words[index - 1] == "--date" {
            words[index - 1] = "--date=\(date)"
        } else {
            words.append(contentsOf: ["--", date])
        }
    }

    /// Help takes no option; the language is determined before.
    private static func withoutLanguage(_ words: [String]) -> [String] {
        let named = words.indices.filter { words[$0] == "--lang" }
        let dropped = Set(named + named.map { $0 + 1 })
        return words.indices.filter { !dropped.contains($0) && !words[$0].hasPrefix("--lang=") }.map { words[$0] }
    }

    /// -1d, -30d.
    private static func isDaysAgo(_ word: String) -> Bool {
        word.utf8.count > 2 && word.hasPrefix("-") && word.hasSuffix("d")
            && word.utf8.dropFirst().dropLast().allSatisfy { 0x30...0x39 ~= $0 }
    }
}

extension Language {
    /// The value of `--lang` on a command line, even an invalid one; else the locale's language.
    init(words: [String], _ environment: Environment) {
        let options = words.prefix { $0 != "--" }
        let languages = options.enumerated().compactMap { index, word -> Language? in
            if word == "--lang" { return options.dropFirst(index + 1).first.flatMap(Language.init) }
            return word.hasPrefix("--lang=") ? Language(rawValue: String(word.dropFirst("--lang=".count))) : nil
        }
        self = languages.last ?? Language(environment)
    }
}

/// The known word that an unknown word probably means.
enum Suggestion {
    /// The known word with the smallest edit distance; nil when none is close.
    static func closest(to word: String, among known: [String]) -> String? {
        let distances = known.map { ($0, distance(word.lowercased(), $0.lowercased())) }
        guard let (best, strokes) = distances.min(by: { $0.1 < $1.1 }), strokes <= max(1, word.count / 3) else {
            return nil
        }
        return best
    }

    /// Insertions, deletions, replacements and swaps of neighbours (Damerau and Levenshtein, restricted).
    private static func distance(_ first: String, _ second: String) -> Int {
        let (first, second) = (Array(first), Array(second))
        var rows = [Array(0...second.count)]
        for (i, letter) in first.enumerated() {
            var row = [i + 1]
            for (j, other) in second.enumerated() {
                var best = min(rows[i][j + 1] + 1, row[j] + 1, rows[i][j] + (letter == other ? 0 : 1))
                if i > 0, j > 0, letter == second[j - 1], first[i - 1] == other {
                    best = min(best, rows[i - 1][j - 1] + 1)
                }
                row.append(best)
            }
            rows.append(row)
        }
        return rows[first.count][second.count]
    }
}
