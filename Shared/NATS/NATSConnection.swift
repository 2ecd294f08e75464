internal import CNATS
internal import Dispatch
public import PollLoop
internal import Synchronization

/// A connection to a server of NATS, on a poll loop: no message crosses a thread.
///
/// libnats runs in its event-loop mode, with synchronous subscriptions that are read without waiting. It connects, and
/// connects again, on threads of its own. `withNATSConnection` provides a connection.
public actor NATSConnection {
    /// Whether there is a connection to a server.
    public enum Change: Sendable, Hashable {
        case connected, disconnected
        /// For ever: the scope of the connection ends.
        case closed
    }

    /// What a subscription receives.
    public enum Arrival: Sendable, Hashable {
        case message(NATSMessage)
        /// The server's answer to a request on a subject without subscribers (ADR-22). libnats withholds the message,
        /// and so the request is known only where it has a subscription of its own.
        case noResponders
    }

    private struct Subscription {
        let pointer: OpaquePointer
        let receive: (Arrival) -> Void
    }

    /// The most messages of a subscription that are read before the loop continues.
    private static let maxBatch = 64

    private nonisolated let loop: PollLoop
    private nonisolated let watch: SocketWatch
    private nonisolated let monitor: ConnectionChanges
    /// Safety: libnats locks its connections; it is destroyed once, after the last use.
    private nonisolated(unsafe) let pointer: OpaquePointer
    private var subscriptions: [UInt64: Subscription] = [:]
    private var hasMore = false

    public nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    fileprivate init(_ pointer: OpaquePointer, watch: SocketWatch, monitor: ConnectionChanges, on loop: PollLoop) {
        self.pointer = pointer
        self.watch = watch
        self.monitor = monitor
        self.loop = loop
    }

    /// The changes of the connection since its start, the latest ones at once.
    public nonisolated var changes: AsyncStream<Change> { monitor.stream }

    public nonisolated var isConnected: Bool { natsConnection_Status(pointer) == NATS_CONN_STATUS_CONNECTED }

    /// The most bytes that the server takes in one message.
    public nonisolated var maxPayload: Int { Int(natsConnection_GetMaxPayload(pointer)) }

    // MARK: Messages

    /// Sends a message at once.
    ///
    /// - Parameter headers: names and values of ASCII; a value without line breaks.
    /// - Throws: `NATSError`: too large, without a connection, or with an impossible subject.
    public func publish(
        _ data: [UInt8], to subject: String, reply: String? = nil, headers: [(name: String, value: String)] = []
    ) throws(NATSError) {
        // libnats would keep the message until it is connected again, which may be after its deadline.
        guard isConnected else { throw NATSError(code: .disconnected, operation: "publish to \(subject)") }
        var created: OpaquePointer?
        let status = data.withUnsafeBytes { bytes in
            natsMsg_Create(
                &created, subject, reply, bytes.baseAddress?.assumingMemoryBound(to: CChar.self), Int32(data.count))
        }
        try NATSError.check(status, "make a message")
        defer { natsMsg_Destroy(created) }
        for header in headers {
            try NATSError.check(natsMsgHeader_Set(created, header.name, header.value), "set a header")
        }
        try NATSError.check(natsConnection_PublishMsg(pointer, created), "publish to \(subject)")
    }

    /// Receives the messages of a subject from now on.
    ///
    /// - Parameters:
    ///   - queue: of the subscriptions of a queue group one receives each message.
    ///   - receive: called on the loop.
    /// - Returns: an id, for `unsubscribe`.
    public func subscribe(
        _ subject: String, queue: String? = nil, _ receive: sending @escaping (Arrival) -> Void
    ) throws(NATSError) -> UInt64 {
        var made: OpaquePointer?
        let status: natsStatus
        if let queue {
            status = natsConnection_QueueSubscribeSync(&made, pointer, subject, queue)
        } else {
            status = natsConnection_SubscribeSync(&made, pointer, subject)
        }
        try NATSError.check(status, "subscribe to \(subject)")
        guard let made else { throw NATSError(code: .invalidSubject, operation: "subscribe to \(subject)") }
        let id = loop.makeID()
        subscriptions[id] = Subscription(pointer: made, receive: receive)
        return id
    }

    /// Ends a subscription; its unread messages are dropped.
    public func unsubscribe(_ id: UInt64) {
        guard let subscription = subscriptions.removeValue(forKey: id) else { return }
        // Destroying includes the message to the server.
        natsSubscription_Destroy(subscription.pointer)
    }

    // MARK: The loop

    /// Keeps the connection until the task is cancelled.
    fileprivate func run() async {
        await withDiscardingTaskGroup { group in
            group.addTask(executorPreference: loop.tasks) { await self.read() }
            group.addTask(executorPreference: loop.tasks) { await self.write() }
        }
    }

    private func read() async {
        while !Task.isCancelled {
            if hasMore {
                // The loop's other actors run in between.
                await Task.yield()
            } else if await watch.wait(forRoom: false) {
                natsConnection_ProcessReadEvent(pointer)
            }
            receiveAll()
        }
    }

    private func write() async {
        while !Task.isCancelled {
            if await watch.wait(forRoom: true) { natsConnection_ProcessWriteEvent(pointer) }
        }
    }

    private func receiveAll() {
        hasMore = false
        for subscription in subscriptions.values {
            var count = 0
            while count < Self.maxBatch, let arrival = next(of: subscription.pointer) {
                subscription.receive(arrival)
                count += 1
            }
            if count == Self.maxBatch { hasMore = true }
        }
    }

    private func next(of subscription: OpaquePointer) -> Arrival? {
        var received: OpaquePointer?
        switch natsSubscription_NextMsg(&received, subscription, 0) {
        case NATS_OK:
            guard let received else { return nil }
            defer { natsMsg_Destroy(received) }
            return .message(NATSMessage(received))
        case NATS_NO_RESPONDERS: return .noResponders
        // libnats reports once that it dropped messages of a slow reader, and goes on.
        case NATS_SLOW_CONSUMER: return next(of: subscription)
        default: return nil
        }
    }

    fileprivate func close() async {
        for id in Array(subscriptions.keys) { unsubscribe(id) }
        let pointer = UncheckedPointer(pointer: pointer)
        // It waits for the threads of libnats.
        await runBlocking { natsConnection_Close(pointer.pointer) }
        await monitor.closed()
        await runBlocking { natsConnection_Destroy(pointer.pointer) }
    }
}

/// Runs `body` with a connection that connects as soon as a server is there, and closes it afterwards.
///
/// - Throws: `NATSError` for impossible options; what `body` throws.
public func withNATSConnection<Result: Sendable>(
    _ options: NATSOptions, on loop: PollLoop, _ body: (NATSConnection) async throws -> Result
) async throws -> Result {
    let (watch, monitor) = (SocketWatch(on: loop), ConnectionChanges())
    // libnats may call both until the connection is closed.
    defer { withExtendedLifetime((watch, monitor)) {} }
    let opened: Swift.Result<UncheckedPointer, NATSError> = await runBlocking {
        Swift.Result { () throws(NATSError) in
            try options.withOptions { options throws(NATSError) in
                try watch.install(in: options)
                try monitor.install(in: options)
                var made: OpaquePointer?
                let status = natsConnection_Connect(&made, options)
                guard let made else { throw NATSError(code: .init(status), operation: "connect") }
                if status == NATS_OK { monitor.record(.connected) }
                return UncheckedPointer(pointer: made)
            }
        }
    }
    let connection = NATSConnection(try opened.get().pointer, watch: watch, monitor: monitor, on: loop)
    return try await withThrowingTaskGroup(of: Void.self) { group in
        group.addTask(executorPreference: loop.tasks) { await connection.run() }
        let result: Swift.Result<Result, any Error>
        do {
            result = .success(try await body(connection))
        } catch {
            result = .failure(error)
        }
        await connection.close()
        group.cancelAll()
        return try result.get()
    }
}

/// Safety: libnats locks what it points to.
private struct UncheckedPointer: @unchecked Sendable {
    let pointer: OpaquePointer
}

private func runBlocking<Result: Sendable>(_ work: @escaping @Sendable () -> Result) async -> Result {
    await withCheckedContinuation { continuation in
        DispatchQueue.global().async { continuation.resume(returning: work()) }
    }
}
