internal import Contracts

/// Where the time of one query was spent: its steps, and which of them are on the critical path.
public struct QueryExplanation: Sendable, Equatable {
    /// In the order of their start.
    public let steps: [QueryStep]
    /// Indices of the steps on the critical path, in the order of time: each was the last to end before the next began.
    public let critical: [Int]
    /// From the start of the query to the assembled answer.
    public let wall: Duration

    init(_ steps: [QueryStep], wall: Duration) {
        self.steps = steps.sorted { ($0.start, $0.what) < ($1.start, $1.what) }
        self.wall = wall
        critical = Self.criticalPath(self.steps, until: wall)
    }

    /// The upstream calls that the query has caused: one is assumed for a request to a fetcher without a reply.
    public var upstreamCalls: Int {
        steps.reduce(0) { sum, step in
            // What the archive calls, its answer says.
            if step.isShared || step.kind == CachePeekRequest.kind || step.kind.hasPrefix("archive.") { return sum }
            return sum + (step.instance == nil ? 1 : step.upstreamCalls ?? 0)
        }
    }

    /// The remaining time: the gateway's own work before, between and after the critical steps.
    public var own: Duration { critical.reduce(wall) { $0 - steps[$1].took } }

    /// Works backwards from the end: the step that ended last was awaited, and before its start the step that had ended
    /// last at that time.
    private static func criticalPath(_ steps: [QueryStep], until wall: Duration) -> [Int] {
        var path: [Int] = []
        var until = wall
        while let last = steps.indices.filter({ steps[$0].end <= until && steps[$0].took > .zero })
            .max(by: { steps[$0].end < steps[$1].end })
        {
            path.append(last)
            until = steps[last].start
        }
        return path.reversed()
    }
}
