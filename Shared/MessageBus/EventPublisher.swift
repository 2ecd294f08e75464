internal import Envelope
internal import Synchronization
internal import ZeroMQ

/// Pushes this process's events to the broker, at most one message a turn of the loop, and never waits.
actor EventPublisher {
    private struct Outbox {
        var events: [[UInt8]] = []
        var dropped = 0
        var mustReconnect = false
    }

    /// Events kept while the loop is busy; beyond it they are dropped and counted.
    private static let outboxLimit = 1000
    private static let eventsPerMessage = 32

    private nonisolated let context: Context
    private nonisolated let alarm: Alarm
    private nonisolated let outbox = Mutex(Outbox())
    private let endpoint: String
    private let options: SocketOptions
    private var socket: Socket?

    nonisolated var unownedExecutor: UnownedSerialExecutor { context.loop.asUnownedSerialExecutor() }

    init(_ configuration: BusConfiguration, context: Context) {
        self.context = context
        alarm = Alarm(in: context)
        endpoint = configuration.endpoints.eventsIn
        options = SocketOptions.bus(configuration, endpoint: endpoint)
    }

    /// Events that the stream could not take.
    nonisolated var dropped: Int { outbox.withLock { $0.dropped } }

    nonisolated func publish(_ event: Event) {
        let bytes = event.json()
        let isFirst = outbox.withLock { box in
            guard box.events.count < Self.outboxLimit else {
                box.dropped += 1
                return false
            }
            box.events.append(bytes)
            return box.events.count == 1
        }
        if isFirst { alarm.ring(by: .now) }
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

    /// Connects anew: libzmq gives a socket up whose keys the broker refused, were it let in now.
    nonisolated func reconnect() {
        outbox.withLock { $0.mustReconnect = true }
        alarm.ring(by: .now)
    }

    private func takeReconnect() -> Bool {
        outbox.withLock { box in
            defer { box.mustReconnect = false }
            return box.mustReconnect
        }
    }

    /// Sends what waits, as far as the pipe takes it; the rest is dropped and counted.
    func flush() {
        let events = outbox.withLock { box in
            defer { box.events = [] }
            return box.events
        }
        for start in stride(from: 0, to: events.count, by: Self.eventsPerMessage) {
            let message = Array(events[start..<min(start + Self.eventsPerMessage, events.count)])
            let outcome = try? socket?.assumeIsolated { try $0.sendIfReady(message) }
            if outcome != .sent { outbox.withLock { $0.dropped += message.count } }
        }
    }
}
