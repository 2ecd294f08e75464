/// Where the time of one query went: its steps, and which of them the answer had to wait for.
public struct QueryExplanation: Sendable, Equatable {
    /// In the order of their beginnings.
    public let steps: [QueryStep]
    /// Places of the steps on the critical path, in the order of time: each ended last of all before the next began.
    public let critical: [Int]
    /// From the question to the assembled answer.
    public let wall: Duration

    init(_ steps: [QueryStep], wall: Duration) {
        self.steps = steps.sorted { ($0.start, $0.what) < ($1.start, $1.what) }
        self.wall = wall
        critical = Self.criticalPath(self.steps, until: wall)
    }

    /// What was neither of these: the gateway's own work before, between and after them.
    public var own: Duration { critical.reduce(wall) { $0 - steps[$1].took } }

    /// Goes back from the end: the step that ended last was waited for, and before its start the one that had ended last
    /// then.
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
