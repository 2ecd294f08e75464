/// The choice of one image among the hits of a search: by shape, then by size, never simply the first.
///
/// A hit outside a poster's proportions wins only when there is none inside them, the nearest first. Equals keep the
/// order of the search.
public struct PosterChoice: Codable, Sendable, Equatable {
    public let chosen: PosterCandidate
    /// The next best, at most five, best first: third-party images disappear, so a second one is worth keeping.
    public let runnersUp: [PosterCandidate]
    /// High when the chosen image has a poster's proportions and enough pixels to be one.
    public let confidence: PosterConfidence

    /// Chooses among the hits; nil when there are none, which is an answer and no failure.
    public init?(among candidates: [PosterCandidate]) {
        var seen: Set<String> = []
        let ranked = candidates.filter { seen.insert($0.imageURL).inserted }.enumerated().sorted { left, right in
            let (a, b) = (Shape(left.element), Shape(right.element))
            if a.distance != b.distance { return a.distance < b.distance }
            if a.area != b.area { return a.area > b.area }
            return left.offset < right.offset
        }.map(\.element)
        guard let chosen = ranked.first else { return nil }
        self.chosen = chosen
        runnersUp = Array(ranked.dropFirst().prefix(5))
        confidence = Shape(chosen).distance == 0 && chosen.height >= 400 ? .high : .low
    }
}

private struct Shape {
    /// Height over width of what looks like a poster: from squat flyers to tall one-sheets.
    static let posterRatio = 1.2...1.7

    /// How far the proportions are from a poster's; 0 inside them, infinite when the size is unknown.
    let distance: Double
    /// In pixels. Floating point, because numbers from outside may not overflow.
    let area: Double

    init(_ candidate: PosterCandidate) {
        let (width, height) = (Double(candidate.width), Double(candidate.height))
        guard width > 0, height > 0 else {
            (distance, area) = (.infinity, 0)
            return
        }
        let ratio = height / width
        distance = max(Self.posterRatio.lowerBound - ratio, ratio - Self.posterRatio.upperBound, 0)
        area = width * height
    }
}
