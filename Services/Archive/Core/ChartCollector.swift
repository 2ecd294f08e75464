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
    /// The number of charts that are fetched at a time.
    private static let concurrency = 16
    /// The longest time that a fetch runs before a request that joins it is answered.
    private static let longestFetch: Int64 = 10_000

    let bus: MessageBus
    let archive: Archive
    let world: CurrentWorld
    let clock: WallClock

    /// Fetches each chart, until the deadline.
    ///
    /// - Parameter isRefresh: calls the upstream even for charts that are cached and fresh.
    /// - Returns: how many answers have come, failures included.
    /// - Throws: `StorageError`; `Failure` when the broker is unavailable.
    func fetch(
        _ selections: [ChartSelection], isRefresh: Bool = false, trace: Trace, deadline: ContinuousClock.Instant
    ) async throws -> Int {
        let query = Query(
            bus: bus, deadline: deadline, policy: AnswerPolicy(isRefresh: isRefresh), trace: trace, clock: clock)
        return try await withThrowingTaskGroup(of: Void.self) { group in
            var waiting = selections.makeIterator()
            func start() {
                guard let selection = waiting.next() else { return }
                group.addTask { _ = try await fetch(selection, query) }
            }
            for _ in 0..<Self.concurrency { start() }
            var answers = 0
            while try await group.next() != nil {
                answers += 1
                if .now < deadline { start() }
            }
            return answers
        }
    }

    /// Fetches one chart in the lowest class.
    func fill(_ selection: ChartSelection, deadline: ContinuousClock.Instant) async -> FillStateMachine.Outcome {
        do {
            return try await fetch(
                selection, Query(bus: bus, deadline: deadline, trace: .root(.background), clock: clock))
        } catch let failure as Failure {
            return .failed(failure.code)
        } catch is StorageError {
            return .failed(.storage)
        } catch {
            return .failed(.unreadable)
        }
    }

    private func fetch(_ selection: ChartSelection, _ query: Query) async throws -> FillStateMachine.Outcome {
        let sentAt = clock.milliseconds
        let outcome = try await query.chartPart(selection)
        if let value = outcome.value, let source = outcome.source {
            guard let entries = Self.entries(of: selection, in: value) else { return .failed(.unreadable) }
            let fetchedAt =
                outcome.cache?.age.map { fetchTime(age: $0) } ?? sentAt
                - (outcome.cache?.collapsed == true ? Self.longestFetch : 0)
            try await record(.entries(entries), of: selection, source, fetchedAt: fetchedAt)
        }
        guard let failure = outcome.failure else { return .archived }
        let content: ChartRecord.Sight.Content =
            failure.code == .empty ? .entries([]) : .failure(code: failure.code.rawValue)
        // Beside a stale value, the age is that of the value.
        let age = outcome.value == nil ? outcome.cache?.age : nil
        let fetchedAt = age.map { fetchTime(age: $0) } ?? sentAt
        try await record(content, of: selection, await world.source, fetchedAt: fetchedAt)
        return failure.code == .empty ? .archived : .failed(failure.code)
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
            try await record(
                .entries(entries), of: selection, part.entry.source, fetchedAt: fetchTime(age: part.entry.age))
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

    private func record(
        _ content: ChartRecord.Sight.Content, of selection: ChartSelection, _ source: DataSource, fetchedAt: Int64
    ) async throws {
        let key = ChartKey(source, selection.kind, selection.days.lowerBound)
        let sight = ChartRecord.Sight(content, fetchedAt: fetchedAt)
        let change = try await archive.record(sight, of: key, now: clock.milliseconds)
        await world.saw(source)
        switch change {
        case .none, .attempted: break
        case .newEdition, .pastEdition, .seenAgain:
            bus.publish(
                Event(
                    at: clock.milliseconds, kind: .chartArchived, source: bus.instance,
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
