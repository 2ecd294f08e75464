internal import Envelope
internal import MessageBus
internal import PollLoop
internal import Synchronization
internal import ZeroMQ

/// Pushes this process's events to the broker, at most one batch per millisecond, without waiting.
actor EventPublisher {
    private static let eventsPerMessage = 32

    private nonisolated let context: Context
    private nonisolated let alarm: Alarm
    private nonisolated let queue: EventQueue
    private nonisolated let mustReconnect = Atomic(false)
    private let endpoint: String
    private let options: SocketOptions
    private var socket: Socket?

    nonisolated var unownedExecutor: UnownedSerialExecutor { context.loop.asUnownedSerialExecutor() }

    init(endpoint: String, options: SocketOptions, context: Context) {
        self.context = context
        alarm = Alarm(on: context.loop)
        queue = EventQueue(limit: 1000) { [alarm] in alarm.ring(by: $0) }
        self.endpoint = endpoint
        self.options = options
    }

    /// The number of dropped events.
    nonisolated var dropped: Int { queue.dropped }

    nonisolated func publish(_ event: Event) {
        queue.append(event)
    }

    func run() async throws {
        while !Task.isCancelled {
            try await withSocket(.push, in: context, options: options) { socket in
                try await socket.connect(endpoint)
                self.socket = socket
                flush()
                while await alarm.wait(), !mustReconnect.exchange(false, ordering: .relaxed) { flush() }
                self.socket = nil
            }
        }
    }

    /// Reconnects: libzmq closes a socket whose keys the broker refused, even if the broker would authorise it now.
    nonisolated func reconnect() {
        mustReconnect.store(true, ordering: .relaxed)
        alarm.ring(by: .now)
    }

    /// Sends the queued events as far as the pipe accepts them; the rest is dropped and counted.
    func flush() {
        let events = queue.take()
        for start in stride(from: 0, to: events.count, by: Self.eventsPerMessage) {
            let message = events[start..<min(start + Self.eventsPerMessage, events.count)].map { $0.json() }
            let outcome = try? socket?.assumeIsolated { try $0.sendIfReady(message) }
            if outcome != .sent { queue.countDropped(message.count) }
        }
    }
}
