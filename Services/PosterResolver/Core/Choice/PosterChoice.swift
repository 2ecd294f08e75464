import Domain

/// The choice of one image among the hits of a search, by `PosterScore`.
///
/// A hit without a poster's proportions is chosen only when no hit has them. Equal hits keep the order of the search.
struct PosterChoice: Codable, Sendable, Equatable {
    let chosen: PosterCandidate
    /// The next best hits, at most five, best first: alternatives in case that a third-party image disappears.
    let runnersUp: [PosterCandidate]
    /// High when the chosen image has a poster's proportions and enough pixels.
    let confidence: PosterConfidence

    /// Chooses among the hits; nil when there are none, which is not a failure.
    init?(among candidates: [PosterCandidate], for film: PosterQuery) {
        var seen: Set<String> = []
        let ranked = candidates.filter { seen.insert($0.imageURL).inserted }.enumerated()
            .map { place, candidate in
                (candidate: candidate, score: PosterScore(candidate, for: film, place: place), place: place)
            }
            .sorted { left, right in
                if left.score.isPosterShaped != right.score.isPosterShaped { return left.score.isPosterShaped }
                if left.score.value != right.score.value { return left.score.value > right.score.value }
                return left.place < right.place
            }
        guard let best = ranked.first else { return nil }
        chosen = best.candidate
        runnersUp = ranked.dropFirst().prefix(5).map(\.candidate)
        let isLargeEnough = best.candidate.height >= PosterScore.smallestHeight
        confidence = best.score.isPosterShaped && isLargeEnough ? .high : .low
    }

    /// - Parameter query: the words of the search.
    func poster(query: String) -> Poster {
        Poster(chosen: chosen, runnersUp: runnersUp, confidence: confidence, query: query)
    }
}

/// The film of a poster search.
struct PosterQuery: Sendable, Hashable {
    let title: String
    /// The year of its opening; nil when it is unknown.
    let year: Year?
    /// The words of the title, for a search in addresses.
    let words: [[UInt8]]

    init(title: String, year: Year?) {
        self.title = title
        self.year = year
        // No title has more words; a message could contain a hundred thousand, each searched in every address.
        words = title.split(maxSplits: 32) { !$0.isLetter && !$0.isNumber }.prefix(32).map { String($0).searchBytes }
    }
}
