/// The known word that an unknown word probably means.
public enum Suggestion {
    /// The largest edit distance of a suggestion.
    private static let maxDistance = 2

    /// The known word with the smallest edit distance; nil when none is close.
    public static func closest(to word: String, among known: [String]) -> String? {
        let distances = known.map { ($0, distance(word.lowercased(), $0.lowercased())) }
        // A short word is close to too many others.
        let limit = min(maxDistance, max(1, word.count / 3))
        return distances.min { $0.1 < $1.1 }.flatMap { $0.1 <= limit ? $0.0 : nil }
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
