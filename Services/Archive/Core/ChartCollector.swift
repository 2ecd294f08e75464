import ArchiveMachine
import Assembly
import Contracts
import Domain
import Envelope
import MessageBus
import ProcessKit
import Storage

/// Fetches charts as any client does, and archives each answer before it counts.
struct ChartCollector: Sendable {
    /// The number of charts that are asked for at a time: four more than a fetcher calls at once, so that it never waits for
    /// the next one.
    private static let concurrency = 20
    static let peekLimit: Duration = .seconds(5)
    /// The longest time that a fetch runs before a request that joins it is answered.
    private static let longestFetch: Int64 = 10_000

    let bus: MessageBus
    let archive: Archive
    let world: CurrentWorld
    let ownFetches = OwnFetches()
    let clock: WallClock

    /// Fetches each chart, until the deadline.
    ///
    /// - Parameter isRefresh: calls the upstream even for charts that are cached and fresh.
    /// - Returns: how many answers have come, failures included.
    /// - Throws: `StorageError`; `Failure` when the broker is unavailable.
    func fetch(
        _ selections: [ChartSelection], isRefresh: Bool = false, trace: Trace, deadline: ContinuousClock.Instant
    ) async throws -> Int {
        var rest = selections
        return try await fetch(upTo: rest.count, isRefresh: isRefresh, trace: trace, deadline: deadline) {
            defer { rest = [] }
            return rest
        }
    }

    /// Fetches charts as they are named, until none is or the deadline is over.
    ///
    /// - Parameter next: called when fewer are in flight than may be; each answer may tell which charts are next.
    func fetch(
        upTo limit: Int, isRefresh: Bool = false, trace: Trace, deadline: ContinuousClock.Instant,
        next: () async throws -> [ChartSelection]
    ) async throws -> Int {
        let query = Query(
            bus: bus, deadline: deadline, policy: AnswerPolicy(isRefresh: isRefresh), trace: trace, clock: clock)
        return try await withThrowingTaskGroup(of: Arrival?.self) { group in
            var waiting: ArraySlice<ChartSelection> = []
            // Fetches, and answers that are being archived: meanwhile the next fetch runs.
            var (begun, inFlight, archiving) = (0, 0, 0)
            while true {
                if waiting.isEmpty, begun < limit, .now < deadline { waiting = try await next()[...] }
                while inFlight < Self.concurrency, begun < limit, .now < deadline, let selection = waiting.popFirst() {
                    group.addTask { try await ask(selection, query) }
                    (begun, inFlight) = (begun + 1, inFlight + 1)
                }
                guard inFlight + archiving > 0 else { return begun }
                if let arrival = try await group.next() ?? nil {
                    (inFlight, archiving) = (inFlight - 1, archiving + 1)
                    group.addTask {
                        _ = try await archive(arrival)
                        return nil
                    }
                } else {
                    archiving -= 1
                }
            }
        }
    }

    /// Fetches one chart in the lowest class.
    ///
    /// - Parameter onAnswer: called before the answer is archived.
    func fill(
        _ selection: ChartSelection, deadline: ContinuousClock.Instant, onAnswer: () -> Void
    ) async throws -> FillStateMachine.Outcome {
        let arrival = try await ask(
            selection, Query(bus: bus, deadline: deadline, trace: .root(.background), clock: clock))
        onAnswer()
        return try await archive(arrival)
    }

    /// What an answer says about a chart.
    private struct Arrival: Sendable {
        let selection: ChartSelection
        var sights: [(source: DataSource, sight: ChartRecord.Sight)] = []
        var outcome = FillStateMachine.Outcome.archived
    }

    private func ask(_ selection: ChartSelection, _ query: Query) async throws -> Arrival {
        let sentAt = clock.milliseconds
        let outcome = try await answer(to: selection, query)
        var arrival = Arrival(selection: selection)
        if let value = outcome.value, let source = outcome.source {
            guard let entries = Self.entries(of: selection, in: value) else {
                arrival.outcome = .failed(.unreadable)
                return arrival
            }
            let fetchedAt =
                outcome.cache?.age.map { fetchTime(age: $0) } ?? sentAt
                - (outcome.cache?.collapsed == true ? Self.longestFetch : 0)
            arrival.sights.append((source, ChartRecord.Sight(.entries(entries), fetchedAt: fetchedAt)))
        }
        guard let failure = outcome.failure else { return arrival }
        let content: ChartRecord.Sight.Content =
            failure.code == .empty ? .entries([]) : .failure(code: failure.code.rawValue)
        // Beside a stale value, the age is that of the value.
        let age = outcome.value == nil ? outcome.cache?.age : nil
        let fetchedAt = age.map { fetchTime(age: $0) } ?? sentAt
        arrival.sights.append((await world.source, ChartRecord.Sight(content, fetchedAt: fetchedAt)))
        if failure.code != .empty { arrival.outcome = .failed(failure.code) }
        return arrival
    }

    private func answer(to selection: ChartSelection, _ query: Query) async throws -> PartOutcome {
        await ownFetches.begin(selection)
        let outcome: PartOutcome
        do {
            outcome = try await query.chartPart(selection)
        } catch {
            _ = await ownFetches.end(selection, hasStored: false)
            throw error
        }
        let hasStored = outcome.cache?.stored == true && outcome.cache?.collapsed != true
        // Somebody else has put the chart, and this fetch has none.
        if await ownFetches.end(selection, hasStored: hasStored), outcome.value == nil {
            try await peek([selection], deadline: .now + Self.peekLimit)
        }
        return outcome
    }

    private func archive(_ arrival: Arrival) async throws -> FillStateMachine.Outcome {
        for (source, sight) in arrival.sights { try await record(sight, of: arrival.selection, source) }
        return arrival.outcome
    }

    /// Archives charts that the cache has.
    ///
    /// - Throws: `StorageError`; `Failure` when the broker or the cache is unavailable.
    func peek(_ selections: [ChartSelection], deadline: ContinuousClock.Instant) async throws {
        let keys = selections.map { ChartRequest($0, isRefresh: false).cacheKey }
        let cached = try await Query(bus: bus, deadline: deadline, clock: clock).peek(keys)
        for (selection, key) in zip(selections, keys) {
            guard let part = cached[key], let value = part.value,
                let entries = Self.entries(of: selection, in: value)
            else { continue }
            let sight = ChartRecord.Sight(.entries(entries), fetchedAt: fetchTime(age: part.entry.age))
            try await record(sight, of: selection, part.entry.source)
        }
        if let failure = cached.failure { throw failure }
    }

    /// The rows of a value; nil unless it is this chart.
    private static func entries(of selection: ChartSelection, in value: [UInt8]) -> [ChartEntry]? {
        // Why it does not decode is of no use: it is no sight of the chart, which is fetched again.
        guard let chart = try? JSONBytes.decode(Chart.self, from: value), chart.selection == selection else {
            return nil
        }
        return chart.entries
    }

    private func record(_ sight: ChartRecord.Sight, of selection: ChartSelection, _ source: DataSource) async throws {
        let key = ChartKey(source, selection.kind, selection.days.lowerBound)
        let change = try await archive.record(sight, of: key, now: clock.milliseconds)
        await world.saw(source)
        switch change {
        case .none, .attempted: break
        case .newEdition, .pastEdition, .seenAgain:
            bus.publish(
                Event(
                    at: clock.microseconds, kind: .chartArchived, source: bus.instance,
                    attributes: ["key": .text(ArchiveKey.make(selection))]))
        }
    }

    /// - Parameter age: whole seconds, as another process has counted them; the fraction that it left out may not settle
    ///   a chart.
    private func fetchTime(age: Int) -> Int64 {
        let bounded = min(max(age, -1_000_000_000), 1_000_000_000)
        return clock.milliseconds - (Int64(bounded) + 1) * 1000
    }
}

/// Which data the stack has at present.
actor CurrentWorld {
    /// Of the latest chart.
    private(set) var source: DataSource

    init(_ source: DataSource) {
        self.source = source
    }

    var world: DataWorld { DataWorld(of: source) }

    func saw(_ source: DataSource) { self.source = source }
}
