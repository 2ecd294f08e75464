/// A search text and its possible readings: "제목 2023 영화 포스터" may request the film 제목 of 2023.
struct ImageQuery: Sendable {
    struct Reading: Sendable, Equatable {
        /// In the form of `folded`.
        let title: String
        let year: Int?
    }

    /// The whole text in comparable form.
    let folded: String
    /// The possible meanings, the most literal first: a title may itself end in "영화" or in a number.
    let readings: [Reading]

    init(_ text: String) {
        folded = Self.folded(text)
        var words = folded.split(separator: " ")
        var readings = [Reading(title: folded, year: nil)]
        while let last = words.last, words.count > 1, askingWords.contains(String(last)) {
            words.removeLast()
            readings.append(Reading(title: words.joined(separator: " "), year: nil))
        }
        let digits = words.last?.filter { $0 != "(" && $0 != ")" } ?? ""
        if words.count > 1, digits.utf8.count == 4, let year = Int(digits) {
            readings.append(Reading(title: words.dropLast().joined(separator: " "), year: year))
        }
        self.readings = readings
    }

    /// Whether all words of the title stand in the text, one after the other.
    func contains(title: String) -> Bool {
        let title = Self.folded(title)
        return !title.isEmpty && " \(folded) ".contains(" \(title) ")
    }

    /// The normal form of a text: lower case, single spaces, none at the ends.
    ///
    /// Composed and decomposed Hangul need no care: Swift compares and hashes strings by canonical equivalence.
    static func folded(_ text: String) -> String {
        text.lowercased().split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }
}

/// Words that name the kind of search and not the film.
private let askingWords: Set<String> = ["영화", "포스터", "공식", "메인", "고화질", "poster", "movie", "film"]
