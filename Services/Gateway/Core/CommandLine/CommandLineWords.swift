import Localization
import ProcessKit
import TerminalText

/// The words of a command line in the form that the parser accepts.
///
/// Uses no regular expressions: each costs a millisecond before its first use.
struct CommandLineWords: Sendable {
    private(set) var words: [String]
    /// The value of the last `--lang`, which may stand before or after the command; nil without one.
    let language: Language?

    /// --json=names is split into two options, a date such as -1d is separated from options, and `--lang` is taken out.
    ///
    /// - Throws: `StartupError` for an argument that is not valid text: Swift has put replacement characters into it.
    init(_ arguments: [String]) throws(StartupError) {
        if let place = arguments.firstIndex(where: { $0.unicodeScalars.contains("\u{FFFD}") }) {
            throw StartupError.usage(
                "\(place + 1)번째 인자가 UTF-8 글이 아닙니다.", "Argument \(place + 1) is no UTF-8 text.")
        }
        let options = arguments.prefix { $0 != "--" }
        let (rest, values) = Self.takeLanguages(options)
        let languages = values.map(Language.init)
        guard !languages.contains(nil) else {
            throw StartupError.usage("--lang은 ko나 en입니다.", "--lang takes ko or en.")
        }
        language = languages.last ?? nil
        let prefix = "--json="
        words = (rest + arguments[options.endIndex...]).flatMap { word in
            word.hasPrefix(prefix) && word != prefix
                ? ["--json", "--fields", String(word.dropFirst(prefix.count))] : [word]
        }
        guard let index = words.firstIndex(where: Self.isDaysAgo), !words.contains("--") else { return }
        let date = words.remove(at: index)
        if index > 0, words[index - 1] == "--date" {
            words[index - 1] = "--date=\(date)"
        } else {
            words.append(contentsOf: ["--", date])
        }
    }

    /// The words without `--lang`, and its values; an empty value for a missing one.
    private static func takeLanguages(_ options: ArraySlice<String>) -> (words: [String], values: [String]) {
        var (words, values): ([String], [String]) = ([], [])
        var rest = options
        while let word = rest.popFirst() {
            if word == "--lang" {
                values.append(rest.popFirst() ?? "")
            } else if word.hasPrefix("--lang=") {
                values.append(String(word.dropFirst("--lang=".count)))
            } else {
                words.append(word)
            }
        }
        return (words, values)
    }

    /// -1d, -30d.
    private static func isDaysAgo(_ word: String) -> Bool {
        word.utf8.count > 2 && word.hasPrefix("-") && word.hasSuffix("d")
            && word.utf8.dropFirst().dropLast().allSatisfy { 0x30...0x39 ~= $0 }
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
