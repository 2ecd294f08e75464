import Assembly
import Domain
import HTTPKit
import Synchronization

/// The open streams of this server, and the frames that they read.
final class LiveStreams: Sendable {
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
        fileprivate let client: ClientAddress?
        fileprivate let connection: RequestConnection
        let topic: LiveTopic
        /// The last frame before those that the listener gets.
        let start: Ring.Cursor
    }

    private struct Waiter {
        let continuation: CheckedContinuation<Void, Never>
        let deadline: ContinuousClock.Instant
    }

    private struct State {
        /// Changes of charts and events of the stack apart: thousands of these must not push those out.
        var charts = Ring(epoch: .random(in: 1...UInt64.max), maxFrames: 1_000, maxBytes: 1 << 20)
        var events = Ring(epoch: .random(in: 1...UInt64.max), maxFrames: 4_000, maxBytes: 1 << 20)
        var listeners = ListenerTable(maxTotal: LiveStreams.maxListeners, maxPerAddress: 32)
        var eventListeners = 0
        /// When a listener of events left.
        var lastLeft: ContinuousClock.Instant?
        /// Those whose connection is open.
        var present: Set<Int> = []
        /// By listener.
        var waiting: [Int: Waiter] = [:]
        /// The connections of listeners that have not taken a piece yet.
        var writes: [Int: RequestConnection] = [:]
        var lastListener = 0
        var isDraining = false

        func ring(_ topic: LiveTopic) -> Ring {
            if case .chart = topic { charts } else { events }
        }
    }

    static let maxListeners = 1000
    static let maxBatch = 64 << 10

    private let state = Mutex(State())

    var count: Int { state.withLock { $0.listeners.total } }

    // MARK: Frames

    func append(chart selection: ChartSelection, data: [UInt8]) {
        append { $0.charts.append(.chart(selection), event: "chart", data: data) }
    }

    /// - Parameter json: is not called while events have no listener and none may return.
    func append(event topic: FrameTopic, named name: String, json: () -> [UInt8]) {
        append { state in
            if state.eventListeners > 0 || state.lastLeft.map({ .now < $0 + WebTiming.returnLimit }) ?? false {
                state.events.append(topic, event: name, data: json())
            } else {
                state.events.skip()
            }
        }
    }

    /// The end of all streams, at once and of those that begin later.
    func drain() { append { $0.isDraining = true } }

    private func append(_ change: (inout State) -> Void) {
        let waiting = state.withLock { state in
            change(&state)
            defer { state.waiting = [:] }
            return state.waiting
        }
        for waiter in waiting.values { waiter.continuation.resume() }
    }

    // MARK: Listeners

    func canOpen(from client: ClientAddress?) -> Bool { state.withLock { $0.listeners.canOpen(from: client) } }

    /// - Parameter cursor: the last frame that the listener has; nil for what comes from now on.
    /// - Returns: nil when there are too many listeners; else the caller calls `close`.
    func open(
        _ topic: LiveTopic, after cursor: Ring.Cursor?, _ client: ClientAddress?, _ connection: RequestConnection
    ) -> Listener? {
        let listener: Listener? = state.withLock { state in
            guard state.listeners.open(from: client) else { return nil }
            if case .events = topic { state.eventListeners += 1 }
            state.lastListener += 1
            state.present.insert(state.lastListener)
            return Listener(
                id: state.lastListener, client: client, connection: connection, topic: topic,
                start: cursor ?? state.ring(topic).end)
        }
        guard let listener else { return nil }
        // A stream without events would notice only after two comments.
        connection.onClose { self.leave(listener.id) }
        return listener
    }

    func close(_ listener: Listener) {
        state.withLock { state in
            state.present.remove(listener.id)
            state.writes[listener.id] = nil
            state.listeners.close(from: listener.client)
            if case .events = listener.topic {
                state.eventListeners -= 1
                state.lastLeft = .now
            }
        }
    }

    private func leave(_ listener: Int) {
        state.withLock { state in
            state.present.remove(listener)
            return state.waiting.removeValue(forKey: listener)
        }?.continuation.resume()
    }

    /// A piece is on its way. A listener that does not read it is cut off: it gets the rest when it connects again.
    func beginWrite(_ listener: Listener) {
        state.withLock { $0.writes[listener.id] = listener.connection }
    }

    func endWrite(_ listener: Listener) {
        state.withLock { $0.writes[listener.id] = nil }
    }

    /// Waits for frames after a cursor.
    func next(
        _ listener: Listener, after cursor: Ring.Cursor, until deadline: ContinuousClock.Instant
    ) async -> Arrival {
        var cursor = cursor
        let topic = listener.topic
        while !Task.isCancelled {
            let (batch, isEnded) = state.withLock { state in
                let batch = state.ring(topic).frames(after: cursor, maxBytes: Self.maxBatch, where: topic.includes)
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

    /// Returns after the next frame, soon after the deadline, when the listener leaves, and when the streams end.
    private func wait(
        _ listener: Listener, after cursor: Ring.Cursor, until deadline: ContinuousClock.Instant
    ) async {
        let (id, topic) = (listener.id, listener.topic)
        await withCheckedContinuation { continuation in
            let isOver = state.withLock { state in
                // A frame may have come since the ring was read.
                let isOver = state.ring(topic).end != cursor || state.isDraining || !state.present.contains(id)
                if !isOver { state.waiting[id] = Waiter(continuation: continuation, deadline: deadline) }
                return isOver
            }
            if isOver { continuation.resume() }
        }
    }

    // MARK: Time

    /// Wakes the listeners whose stream has been quiet.
    func wakeQuiet() {
        let now = ContinuousClock.now
        let quiet = state.withLock { state in
            let quiet = state.waiting.filter { $0.value.deadline <= now }
            for id in quiet.keys { state.waiting[id] = nil }
            return quiet.values
        }
        for waiter in quiet { waiter.continuation.resume() }
    }

    /// Listeners get the end of their stream; one that does not read it must not hold up the shutdown.
    func awaitLast() async {
        let end = ContinuousClock.now + WebTiming.lastPieceLimit
        while state.withLock({ !$0.present.isEmpty }), .now < end {
            // A cancelled sleep means that the process does not wait any longer.
            guard (try? await Task.sleep(for: AssemblyTiming.watchPause)) != nil else { break }
        }
        for connection in state.withLock({ Array($0.writes.values) }) { connection.close() }
    }
}
