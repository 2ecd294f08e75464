internal import Contracts
public import Domain
public import Envelope

/// A chart that somebody watches: what its last answer was, and when and after which events it is fetched again.
public struct ChartWatch: Sendable {
    private enum Content: Equatable, Sendable {
        case parts(ChartSelection, version: String, isProvisional: Bool)
        case failure(ChartSelection, FailureCode)
    }

    private let schedule: WatchSchedule
    /// Of the last answer, but for the ages in it.
    private var content: Content?
    private var outcome = WatchSchedule.Outcome.nothing(times: 0)
    /// The cache keys of its parts.
    private var parts: Set<String> = []
    private var isComplete = true

    /// - Parameter rollsOver: as `WatchSchedule` has it.
    public init(rollsOver: Bool) {
        schedule = WatchSchedule(rollsOver: rollsOver)
    }

    /// - Parameter now: Unix time in seconds.
    /// - Returns: whether the answer shows something else than the one before.
    public mutating func take(
        _ answer: Result<ShowAssembly, Failure>, to selection: ChartSelection, now: Double
    ) -> Bool {
        outcome = WatchSchedule.Outcome(answer, before: outcome)
        let last = content
        switch answer {
        case .failure(let failure):
            isComplete = false
            content = .failure(selection, failure.code)
        case .success(let assembly):
            isComplete = assembly.isComplete
            let films = assembly.films.flatMap { FilmPart.cacheKeys(code: $0.code) }
            parts = Set([ChartRequest(selection, isRefresh: false).cacheKey] + films)
            let isProvisional = FreshnessPolicy().wasProvisional(
                selection, age: assembly.chart.cache?.age, now: now)
            content = .parts(selection, version: assembly.version, isProvisional: isProvisional)
        }
        return content != last
    }

    /// The next answer counts as another one: its reader's screen has changed.
    public mutating func forgetContent() { content = nil }

    /// The time until it is fetched again, unless an event comes first.
    ///
    /// - Parameter now: Unix time in seconds.
    public func wait(now: Double) -> Duration { schedule.wait(now: now, after: outcome) }

    /// Whether the answer may be another one after an event: a part was stored, or a worker that may have a missing part
    /// has joined.
    public func mayChange(after event: Event) -> Bool {
        if event.kind == EventKind.workerJoined { return !isComplete }
        guard EventKind.partChanges.contains(event.kind), let key = event.attributes["key"] else { return false }
        return parts.contains(key.description)
    }
}
