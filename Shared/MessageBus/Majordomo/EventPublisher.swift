internal import Envelope
internal import PollLoop
internal import Synchronization
internal import ZeroMQ

/// Pushes this process's events to the broker, at most one batch per millisecond, without waiting.
actor EventPublisher {
    private struct SendQueue {
        var events: [Event] = []
        var dropped = 0
        /// The time at which events were last sent.
        var sentAt: ContinuousClock.Instant?
        var mustReconnect = false
    }

    /// The limit of unsent events; further events are dropped and counted.
    private static let outboxLimit = 1000
    private static let eventsPerMessage = 32

    private nonisolated let context: Context
    private nonisolated let alarm: Alarm
    private nonisolated let sendQueue = Mutex(SendQueue())
    private let endpoint: String
    private let options: SocketOptions
    private var socket: Socket?

    nonisolated var unownedExecutor: UnownedSerialExecutor { context.loop.asUnownedSerialExecutor() }

    init(endpoint: String, options: SocketOptions, context: Context) {
        self.context = context
        alarm = Alarm(on: context.loop)
        self.endpoint = endpoint
        self.options = options
    }

    /// The number of dropped events.
    nonisolated var dropped: Int { sendQueue.withLock { $0.dropped } }

    nonisolated func publish(_ event: Event) {
        let due: ContinuousClock.Instant? = sendQueue.withLock { box in
            guard box.events.count < Self.outboxLimit else {
                box.dropped += 1
                return nil
            }
            box.events.append(event)
            return box.events.count == 1 ? box.sentAt.map { $0 + BusTiming.eventInterval } ?? .now : nil
        }
        if let due { alarm.ring(by: due) }
    }

    func run() async throws {
        while !Task.isCancelled {
            try await withSocket(.push, in: context, options: options) { socket in
                try await socket.connect(endpoint)
                self.socket = socket
                flush()
                while await alarm.wait(), !takeReconnect() { flush() }
                self.socket = nil
            }
        }
    }

    /// Reconnects: libzmq closes a socket whose keys the broker refused, even if the broker would authorise it now.
    nonisolated func reconnect() {
        sendQueue.withLock { $0.mustReconnect = true }
        alarm.ring(by: .now)
    }

    private func takeReconnect() -> Bool {
        sendQueue.withLock { box in
            defer { box.mustReconnect = false }
            return box.mustReconnect
        }
    }

    /// Sends the queued events as far as the pipe accepts them; the rest is dropped and counted.
    func flush() {
        let events = sendQueue.withLock { box in
            defer { box.events = [] }
            if !box.events.isEmpty { box.sentAt = .now }
            return box.events
        }
        for start in stride(from: 0, to: events.count, by: Self.eventsPerMessage) {
            let message = events[start..<min(start + Self.eventsPerMessage, events.count)].map { $0.json() }
            let outcome = try? socket?.assumeIsolated { try $0.sendIfReady(message) }
            if outcome != .sent { sendQueue.withLock { $0.dropped += message.count } }
        }
    }
}
