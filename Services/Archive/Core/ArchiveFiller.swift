import ArchiveMachine
import Contracts
import Domain
import Envelope
import Logging
import MessageBus
import ProcessKit
import Storage

/// Runs the orders to fill the archive, one at a time, the oldest first.
///
/// An order is a row of the archive. What it has fetched needs no checkpoint: the charts are in the archive.
actor ArchiveFiller {
    private static let fetchLimit: Duration = .seconds(30)
    /// The longest sleep: the wall clock may be set.
    private static let longestPause: Duration = .seconds(600)
    private static let retryPause: Duration = .seconds(10)
    /// Archived charts between two events of progress.
    private static let progressStep = 50

    enum Input: Sendable {
        case time
        /// It is being archived.
        case answer(FillItem)
        case outcome(FillItem, FillStateMachine.Outcome)
        /// An order was paused, resumed or cancelled.
        case change
        /// The archive could not be read or written a while ago.
        case retry
    }

    private let bus: MessageBus
    let archive: Archive
    let collector: ChartCollector
    private let films: FilmCollector
    let clock: WallClock
    private let logger: Logger
    private let start = ContinuousClock.now
    private let inputs: AsyncStream<Input>
    let input: AsyncStream<Input>.Continuation
    private(set) var order: FillOrder?
    private(set) var machine: FillStateMachine?
    /// Whether the machine fetches details: the charts of the order have been fetched.
    private(set) var isFetchingFilms = false
    /// Why the order is paused, while a full disk does not take the row that says so.
    var unwrittenPause: FailureCode?
    private var timer: ContinuousClock.Instant?

    init(bus: MessageBus, archive: Archive, collector: ChartCollector, clock: WallClock, logger: Logger) {
        (self.bus, self.archive, self.collector, self.clock, self.logger) = (bus, archive, collector, clock, logger)
        films = FilmCollector(bus: bus, archive: archive, clock: clock)
        (inputs, input) = AsyncStream.makeStream()
    }

    /// Until the task is cancelled.
    func run() async throws {
        try await withThrowingDiscardingTaskGroup { group in
            input.yield(.change)
            for await next in inputs {
                try await accept(next, in: &group)
                try Task.checkCancellation()
            }
            group.cancelAll()
        }
    }

    private var now: Duration { ContinuousClock.now - start }

    /// Takes up the next open order.
    ///
    /// - Returns: its first actions; nil when there is no order.
    private func begin() async throws -> [FillStateMachine.Action]? {
        guard var next = try await archive.nextOrder() else { return nil }
        // What failed before is missing again.
        (next.failed, next.failure) = (0, nil)
        let missing = try await missing(next.chart, in: next.days)
        order = next
        isFetchingFilms = false
        publish(.fillStarted, ["missing": .number(missing.count)])
        return start(missing.map(FillItem.chart), next)
    }

    private func start(_ items: [FillItem], _ order: FillOrder) -> [FillStateMachine.Action] {
        var configuration = FillStateMachine.Configuration()
        configuration.perSecond = order.rate.map { Double($0.value) }
        var machine = FillStateMachine(items, configuration: configuration)
        defer { self.machine = machine }
        return machine.ticked(now: now, date: clock.now())
    }

    private func accept(_ input: Input, in group: inout ThrowingDiscardingTaskGroup<any Error>) async throws {
        do {
            let actions: [FillStateMachine.Action]
            switch input {
            case .time: actions = machine?.ticked(now: now, date: clock.now()) ?? []
            case .answer(let item): actions = machine?.answered(item, now: now, date: clock.now()) ?? []
            case .outcome(let item, let outcome):
                actions = machine?.received(outcome, for: item, now: now, date: clock.now()) ?? []
                if let done = machine?.done, done > 0, done % Self.progressStep == 0, outcome == .archived {
                    publish(.fillProgressed, ["done": .number(done), "missing": .number(machine?.left ?? 0)])
                }
            case .change: actions = try await changed()
            case .retry: actions = try await retried()
            }
            var next: [FillStateMachine.Action]? = actions
            // An order of which nothing is missing ends at once.
            while let actions = next {
                act(actions, in: &group)
                next = try await settle(actions)
            }
        } catch let error as StorageError {
            logger.error("an order to fill cannot be read or written", metadata: ["archive.reason": "\(error)"])
            // The end of an order could not be written: it begins again, and ends.
            if machine?.left == 0 { (order, machine) = (nil, nil) }
            group.addTask { [self] in
                // A disk that fails must not be asked without a pause.
                try await Task.sleep(for: Self.retryPause)
                self.input.yield(.retry)
            }
        }
        schedule(in: &group)
    }

    /// What the row of the order says now.
    private func changed() async throws -> [FillStateMachine.Action] {
        guard let current = order else { return [] }
        guard var stored = try await archive.order(current.id), stored.state == .open else {
            return machine?.pauseRequested() ?? []
        }
        // A request that joins an order may change its details and its rate.
        stored.failed = current.failed
        order = stored
        machine?.changeRate(perSecond: stored.rate.map { Double($0.value) })
        return machine?.resumeRequested(now: now, date: clock.now()) ?? []
    }

    private func retried() async throws -> [FillStateMachine.Action] {
        guard let unwrittenPause, let order else { return try await changed() }
        try await pause(order, unwrittenPause)
        return []
    }

    private func pause(_ order: FillOrder, _ code: FailureCode) async throws {
        unwrittenPause = code
        var order = order
        (order.state, order.failure) = (.paused, code)
        try await archive.update(order)
        unwrittenPause = nil
    }

    /// Goes on when the last answer has arrived: from charts to films, or to the next order.
    ///
    /// - Returns: what to begin then; nil when nothing has ended.
    private func settle(_ actions: [FillStateMachine.Action]) async throws -> [FillStateMachine.Action]? {
        guard var order, let machine else { return try await begin() }
        for action in actions {
            switch action {
            case .ended(let failed):
                order.failed += failed
                order.failure = order.failed > 0 ? machine.failure ?? order.failure : nil
                self.order = order
                if order.details, !isFetchingFilms {
                    isFetchingFilms = true
                    let codes = try await filmsWithoutDetail(order.chart, in: order.days)
                    return start(codes.map(FillItem.film), order)
                }
                order.state = .ended
                try await archive.update(order)
                publish(.fillEnded, ["done": .number(machine.done), "failed": .number(order.failed)])
                return try await next()
            case .paused(.failure(let code)):
                try await pause(order, code)
            case .paused, .resumed, .fetch: break
            }
        }
        // A paused order makes room for the next one.
        switch machine.pause {
        case .requested, .failure: return machine.isIdle ? try await next() : nil
        case .quota, nil: return nil
        }
    }

    private func next() async throws -> [FillStateMachine.Action]? {
        (order, machine, unwrittenPause) = (nil, nil, nil)
        return try await begin()
    }

    private func act(_ actions: [FillStateMachine.Action], in group: inout ThrowingDiscardingTaskGroup<any Error>) {
        for action in actions {
            switch action {
            case .fetch(let item):
                group.addTask { [self, input] in input.yield(.outcome(item, await fetch(item))) }
            case .paused(let pause): publish(.fillPaused, ["reason": .text(pause.reason)])
            case .resumed: publish(.fillResumed, ["missing": .number(machine?.left ?? 0)])
            case .ended: break
            }
        }
    }

    private nonisolated func fetch(_ item: FillItem) async -> FillStateMachine.Outcome {
        let deadline = ContinuousClock.now + Self.fetchLimit
        do {
            switch item {
            case .chart(let selection):
                return try await collector.fill(selection, deadline: deadline) { input.yield(.answer(item)) }
            case .film(let code):
                return try await films.fill(code, deadline: deadline) { input.yield(.answer(item)) }
            }
        } catch let failure as Failure {
            return .failed(failure.code)
        } catch is StorageError {
            return .failed(.storage)
        } catch {
            return .failed(.unreadable)
        }
    }

    /// Wakes the order when its next fetch may begin.
    private func schedule(in group: inout ThrowingDiscardingTaskGroup<any Error>) {
        guard let moment = machine?.nextMoment(now: now, date: clock.now()) else { return }
        let wakeup = min(start + moment, .now + Self.longestPause)
        if let timer, timer > .now, timer <= wakeup { return }
        timer = wakeup
        group.addTask { [input] in
            // Until the rate of calls or the day of the quota allows the next one.
            try await Task.sleep(until: wakeup)
            input.yield(.time)
        }
    }

    private func publish(_ kind: EventKind, _ attributes: [String: AttributeValue]) {
        guard let order else { return }
        let range: [String: AttributeValue] = [
            "order": .number(Int(clamping: order.id)), "first": .text(order.days.lowerBound.iso),
            "last": .text(order.days.upperBound.iso), "kind": .text(order.chart.rawValue),
        ]
        bus.publish(
            Event(
                at: clock.microseconds, kind: kind, source: bus.instance,
                attributes: attributes.merging(range) { first, _ in first }))
    }
}

extension FillStateMachine.Pause {
    fileprivate var reason: String {
        switch self {
        case .requested: "requested"
        case .quota: "quota"
        case .failure(let code): code.rawValue
        }
    }
}
