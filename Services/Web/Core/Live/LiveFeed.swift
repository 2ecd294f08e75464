import Assembly
import BoxOffice
import Contracts
import Envelope
import Logging
import MessageBus
import ServiceLifecycle
import Synchronization

/// The events of the stack for this server: one subscription, which drops pages whose parts have changed, wakes the
/// watches of charts, and feeds the streams of all listeners.
final class LiveFeed: Sendable {
    typealias Ring = FrameRing<FrameTopic>

    /// What a listener gets next.
    enum Arrival: Sendable {
        case batch(Ring.Batch)
        case quiet
        /// The server shuts down, or the listener has left.
        case ended
    }

    /// An open stream.
    struct Listener: Sendable {
        fileprivate let id: Int
        fileprivate let topic: LiveTopic
        fileprivate let client: ClientAddress?
        /// Nil also for a chart beyond the bound of watches.
        fileprivate let watched: ChartSelection?
        fileprivate let connection: ClientConnection
    }

    private struct Waiter {
        let continuation: CheckedContinuation<Void, Never>
        let deadline: ContinuousClock.Instant
    }

    /// A piece that a listener has not taken yet.
    private struct Write {
        let begun: ContinuousClock.Instant
        let connection: ClientConnection
    }

    private struct State {
        /// Changes of charts and events of the stack apart: thousands of these must not push those out.
        var charts: Ring
        var events: Ring
        var listeners = ListenerTable(maxTotal: LiveFeed.maxListeners, maxPerAddress: 32)
        var eventListeners = 0
        /// Those whose connection is open.
        var present: Set<Int> = []
        /// By listener.
        var waiting: [Int: Waiter] = [:]
        var writes: [Int: Write] = [:]
        var lastListener = 0
        var isDraining = false
    }

    static let maxListeners = 1000
    static let maxBatch = 64 << 10

    private let bus: MessageBus
    private let pages: PageCache
    private let watches: ChartWatches
    private let logger: Logger
    private let listenerLimit: Duration
    private let state: Mutex<State>

    /// - Parameter listenerLimit: how long a listener may take to read a piece of its stream.
    init(
        bus: MessageBus, pages: PageCache, watches: ChartWatches, logger: Logger, listenerLimit: Duration
    ) {
        self.listenerLimit = listenerLimit
        self.bus = bus
        self.pages = pages
        self.watches = watches
        self.logger = logger
        func ring(_ frames: Int) -> Ring {
            Ring(epoch: .random(in: 1...UInt64.max), maxFrames: frames, maxBytes: 1 << 20)
        }
        state = Mutex(State(charts: ring(1_000), events: ring(4_000)))
    }

    /// Follows the stream of events until a graceful shutdown, also across the absence of the broker.
    func run() async throws {
        // Also after an error or a cancellation, nobody waits for ever.
        defer { drain() }
        try await withGracefulShutdownHandler {
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { try await cancelWhenGracefulShutdown { try await self.follow() } }
                group.addTask {
                    await cancelWhenGracefulShutdown { await self.checkTimes() }
                    await self.awaitLastListeners()
                }
                group.addTask {
                    await self.watches.run { selection, version in self.publish(selection, version) }
                }
                try await group.waitForAll()
            }
        } onGracefulShutdown: {
            self.drain()
        }
    }

    private func follow() async throws {
        while !Task.isCancelled {
            do {
                let stream = try await bus.subscribe()
                pages.dropAll(isFed: true)
                watches.wakeAll()
                do {
                    try await follow(stream)
                } catch {
                    await stream.close()
                    throw error
                }
                await stream.close()
            } catch let failure as Failure {
                logger.debug("no events", metadata: ["code": "\(failure.code.rawValue)"])
                // A cancelled sleep means the end.
                guard (try? await Task.sleep(for: WebTiming.subscriptionPause)) != nil else { return }
            } catch is CancellationError {
                return
            }
        }
    }

    private func follow(_ stream: EventStream) async throws {
        while true {
            switch try await stream.next(until: .now + .seconds(60)) {
            case .event(let stamped, let lost):
                if lost > 0 { recover(missed: lost) }
                take(stamped.event)
            case .connection(.lost):
                pages.dropAll(isFed: false)
            case .connection(.restored(let missed)):
                recover(missed: missed)
            case .quiet: break
            case .closed: return
            }
        }
    }

    /// Events were missed: any part may have changed.
    private func recover(missed: Int) {
        pages.dropAll(isFed: true)
        watches.wakeAll()
        guard missed > 0 else { return }
        append { $0.events.append(.everyone, event: "gap", data: Array("{\"lost\":\(missed)}".utf8)) }
    }

    private func take(_ event: Event) {
        switch event.kind {
        case Self.storedKind:
            guard let key = event.attributes["key"]?.description else { break }
            pages.drop(part: key)
            watches.wake(part: key)
        case EventKind.workerJoined: watches.wakeIncomplete()
        case EventKind.queued, EventKind.dispatched, EventKind.answered:
            // The services and the gateways say the same in one event instead of three.
            return
        default: break
        }
        guard state.withLock({ $0.eventListeners > 0 }) else { return }
        append { $0.events.append(.event(event), event: "event", data: event.json()) }
    }

    private static let storedKind = EventKind.answered(CachePutRequest.kind)

    /// The answer to a chart has changed.
    private func publish(_ selection: ChartSelection, _ version: String) {
        append { $0.charts.append(.chart(selection), event: "chart", data: Array("{\"version\":\"\(version)\"}".utf8)) }
    }

    private func append(_ change: (inout State) -> Void) {
        let waiting = state.withLock { state in
            change(&state)
            defer { state.waiting = [:] }
            return state.waiting
        }
        for waiter in waiting.values { waiter.continuation.resume() }
    }

    /// Listeners get the end of their stream; one that does not read it must not hold up the shutdown.
    private func awaitLastListeners() async {
        let end = ContinuousClock.now + WebTiming.lastPieceLimit
        while state.withLock({ !$0.present.isEmpty }), .now < end {
            // A cancelled sleep means that the process does not wait any longer.
            guard (try? await Task.sleep(for: WebTiming.watchPause)) != nil else { break }
        }
        for write in state.withLock({ Array($0.writes.values) }) { write.connection.close() }
    }

    private func drain() {
        watches.end()
        append { $0.isDraining = true }
    }

    // MARK: Listeners

    var openStreams: Int { state.withLock { $0.listeners.total } }

    func canListen(_ client: ClientAddress?) -> Bool { state.withLock { $0.listeners.canOpen(from: client) } }

    /// - Returns: nil when there are too many listeners; else the caller calls `close`.
    func open(_ topic: LiveTopic, _ client: ClientAddress?, _ connection: ClientConnection) -> Listener? {
        let id: Int? = state.withLock { state in
            guard state.listeners.open(from: client) else { return nil }
            if case .events = topic { state.eventListeners += 1 }
            state.lastListener += 1
            state.present.insert(state.lastListener)
            return state.lastListener
        }
        guard let id else { return nil }
        // A stream without events would notice only after two comments.
        connection.onClose { self.leave(id) }
        var watched: ChartSelection?
        if case .chart(let selection, _) = topic, watches.begin(selection) { watched = selection }
        return Listener(id: id, topic: topic, client: client, watched: watched, connection: connection)
    }

    /// A piece is on its way. A listener that does not read it is cut off: it gets the rest when it connects again.
    func beginWrite(_ listener: Listener) {
        state.withLock { $0.writes[listener.id] = Write(begun: .now, connection: listener.connection) }
    }

    func endWrite(_ listener: Listener) {
        state.withLock { $0.writes[listener.id] = nil }
    }

    private func leave(_ listener: Int) {
        state.withLock { state in
            state.present.remove(listener)
            return state.waiting.removeValue(forKey: listener)
        }?.continuation.resume()
    }

    func close(_ listener: Listener) {
        state.withLock { state in
            state.present.remove(listener.id)
            state.writes[listener.id] = nil
            state.listeners.close(from: listener.client)
            if case .events = listener.topic { state.eventListeners -= 1 }
        }
        if let watched = listener.watched { watches.end(watched) }
    }

    /// The version of a chart that a listener has not seen yet.
    func newVersion(for listener: Listener) -> String? {
        guard case .chart(let selection, let known) = listener.topic, let current = watches.version(of: selection)
        else {
            return nil
        }
        return current == known ? nil : current
    }

    func end(of topic: LiveTopic) -> Ring.Cursor { state.withLock { Self.ring(topic, $0).end } }

    /// Waits for frames after a cursor.
    func next(
        _ listener: Listener, after cursor: Ring.Cursor, until deadline: ContinuousClock.Instant
    ) async -> Arrival {
        var cursor = cursor
        let topic = listener.topic
        while !Task.isCancelled {
            let (batch, isEnded) = state.withLock { state in
                let batch = Self.ring(topic, state).frames(
                    after: cursor, maxBytes: Self.maxBatch, where: topic.includes)
                return (batch, state.isDraining || !state.present.contains(listener.id))
            }
            if isEnded { return .ended }
            if let batch {
                if !batch.bytes.isEmpty || batch.lost != 0 { return .batch(batch) }
                // These frames are for others.
                cursor = batch.cursor
                continue
            }
            if deadline <= .now { return .quiet }
            await wait(listener, after: cursor, until: deadline)
        }
        return .ended
    }

    private static func ring(_ topic: LiveTopic, _ state: borrowing State) -> Ring {
        if case .chart = topic { state.charts } else { state.events }
    }

    /// Returns after the next frame, soon after the deadline, when the listener leaves, and when the feed ends.
    private func wait(
        _ listener: Listener, after cursor: Ring.Cursor, until deadline: ContinuousClock.Instant
    ) async {
        let (id, topic) = (listener.id, listener.topic)
        await withCheckedContinuation { continuation in
            let isOver = state.withLock { state in
                // A frame may have come since the ring was read.
                let isOver =
                    Self.ring(topic, state).end != cursor || state.isDraining || !state.present.contains(id)
                if !isOver { state.waiting[id] = Waiter(continuation: continuation, deadline: deadline) }
                return isOver
            }
            if isOver { continuation.resume() }
        }
    }

    private func resume(_ listener: Int) {
        state.withLock { $0.waiting.removeValue(forKey: listener) }?.continuation.resume()
    }

    /// Wakes the watches that are due and the listeners whose stream has been quiet, and cuts off those that do not
    /// read. One timer serves all: a cancelled one would stay in the queue of the system until its time.
    private func checkTimes() async {
        // A cancelled sleep means the end.
        while (try? await Task.sleep(for: WebTiming.check)) != nil {
            let now = ContinuousClock.now
            let (quiet, stuck) = state.withLock { state in
                (
                    state.waiting.filter { $0.value.deadline <= now }.map(\.key),
                    state.writes.values.filter { $0.begun + listenerLimit <= now }
                )
            }
            quiet.forEach(resume)
            for write in stuck { write.connection.close() }
            watches.wakeDue()
        }
    }
}
