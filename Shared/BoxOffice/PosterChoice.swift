/// The choice of one image among the hits of a search, by `PosterScore`, never simply the first.
///
/// A hit outside a poster's proportions wins only when there is none inside them. Equals keep the order of the search.
public struct PosterChoice: Codable, Sendable, Equatable {
    public let chosen: PosterCandidate
    /// The next best, at most five, best first: third-party images disappear, so a second one is worth keeping.
    public let runnersUp: [PosterCandidate]
    /// High when the chosen image has a poster's proportions and enough pixels to be one.
    public let confidence: PosterConfidence

    /// Chooses among the hits; nil when there are none, which is an answer and no failure.
    public init?(among candidates: [PosterCandidate], for film: PosterQuery) {
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
}
