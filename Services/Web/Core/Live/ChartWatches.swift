import Assembly
import Contracts
import Domain
import Envelope
import MessageBus
import ProcessKit
import Synchronization

/// The watches of charts that are open somewhere: one for each chart, however many look at it.
///
/// A watch asks again when a part of its answer is stored, when a worker joins that may have a missing part, when its
/// chart is no longer fresh, and after missed events.
final class ChartWatches: Sendable {
    private struct Watch {
        var listeners = 0
        var chart = ChartWatch(rollsOver: false)
        /// Of the last answer with a chart.
        var version: String?
        /// Ends the wait of its loop.
        var wake: AsyncStream<Void>.Continuation?
        /// When it asks again without an event.
        var due: ContinuousClock.Instant?
    }

    private struct State {
        var watches: [ChartSelection: Watch] = [:]
        var isEnded = false
    }

    /// Further charts are not watched: their pages stay as they are.
    static let maxWatches = 64

    private let queries: VisitorQueries
    private let decoded: DecodedParts
    private let clock: WallClock
    private let state = Mutex(State())
    private let begun: AsyncStream<ChartSelection>
    private let starts: AsyncStream<ChartSelection>.Continuation

    init(queries: VisitorQueries, decoded: DecodedParts, clock: WallClock) {
        self.queries = queries
        self.decoded = decoded
        self.clock = clock
        (begun, starts) = AsyncStream.makeStream(bufferingPolicy: .unbounded)
    }

    /// Watches until `end`.
    ///
    /// - Parameter publish: receives each version of a chart's answer.
    func run(publish: @escaping @Sendable (ChartSelection, String) -> Void) async {
        await withDiscardingTaskGroup { group in
            for await selection in begun {
                group.addTask { await self.watch(selection, publish) }
            }
            group.cancelAll()
        }
    }

    func end() {
        starts.finish()
        let watches = state.withLock { state in
            state.isEnded = true
            return state.watches.values.map(\.wake)
        }
        for wake in watches { wake?.finish() }
    }

    // MARK: Listeners

    /// - Returns: false when there are too many watches; else the caller calls `end` when the listener leaves.
    func begin(_ selection: ChartSelection) -> Bool {
        let (isWatched, isNew) = state.withLock { state in
            guard state.watches[selection] == nil else {
                state.watches[selection]?.listeners += 1
                return (true, false)
            }
            guard state.watches.count < Self.maxWatches, !state.isEnded else { return (false, false) }
            state.watches[selection] = Watch(listeners: 1)
            return (true, true)
        }
        if isNew { starts.yield(selection) }
        return isWatched
    }

    func end(_ selection: ChartSelection) {
        let wake = state.withLock { state in
            state.watches[selection]?.listeners -= 1
            return (state.watches[selection]?.listeners ?? 1) > 0 ? nil : state.watches[selection]?.wake
        }
        wake?.yield()
    }

    func version(of selection: ChartSelection) -> String? { state.withLock { $0.watches[selection]?.version } }

    // MARK: Events

    func wake(after event: Event) { wake { $0.chart.mayChange(after: event) } }

    func wakeAll() { wake { _ in true } }

    /// Wakes those that waited long enough; the caller has one timer for all.
    func wakeDue() {
        let now = ContinuousClock.now
        let wakes = state.withLock { state in
            state.watches.filter { $0.value.due.map { $0 <= now } ?? false }.map { selection, watch in
                state.watches[selection]?.due = nil
                return watch.wake
            }
        }
        for wake in wakes { wake?.yield() }
    }

    private func wake(where isConcerned: (Watch) -> Bool) {
        let wakes = state.withLock { $0.watches.values.filter(isConcerned).map(\.wake) }
        for wake in wakes { wake?.yield() }
    }

    // MARK: One watch

    private func watch(
        _ selection: ChartSelection, _ publish: @Sendable (ChartSelection, String) -> Void
    ) async {
        let (wakeups, wake) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        state.withLock { $0.watches[selection]?.wake = wake }
        while isWatched(selection) {
            let answer = await answer(to: selection)
            if let version = note(answer, of: selection) { publish(selection, version) }
            // A sleep fails only by cancellation.
            guard (try? await Task.sleep(for: AssemblyTiming.watchPause)) != nil else { return }
            state.withLock { state in
                guard let wait = state.watches[selection]?.chart.wait(now: clock.now()) else { return }
                state.watches[selection]?.due = .now + wait
            }
            var isOver = true
            for await _ in wakeups {
                isOver = false
                break
            }
            if isOver { return }
            state.withLock { $0.watches[selection]?.due = nil }
        }
    }

    /// Whether the chart still has a listener; forgets it otherwise.
    private func isWatched(_ selection: ChartSelection) -> Bool {
        state.withLock { state in
            if (state.watches[selection]?.listeners ?? 0) > 0, !state.isEnded { return true }
            state.watches[selection] = nil
            return false
        }
    }

    private func answer(to selection: ChartSelection) async -> Result<ShowAssembly, Failure> {
        do {
            return try await queries.run(
                calls: VisitorQueries.Cost.chartWithFilms, for: Visitor(), trace: .root(.background)
            ) { visitor in
                // Without calls the answer would look worse than it is.
                if let refusal = visitor.refusal { throw refusal.failure }
                return .success(
                    decoded.readable(try await visitor.query.show(selection, top: WebResponder.films)))
            }
        } catch {
            return .failure((error as? FailedQuery)?.cause as? Failure ?? .unreadable)
        }
    }

    /// - Returns: the version of the answer if it has changed.
    private func note(_ answer: Result<ShowAssembly, Failure>, of selection: ChartSelection) -> String? {
        state.withLock { state in
            let hasChanged = state.watches[selection]?.chart.take(answer, to: selection, now: clock.now()) ?? false
            guard hasChanged, case .success(let assembly) = answer, assembly.chart.value != nil else { return nil }
            state.watches[selection]?.version = assembly.version
            return assembly.version
        }
    }
}
