internal import CNATS
internal import PollLoop

/// A connection to a server of NATS, on a poll loop: no message crosses a thread.
///
/// libnats runs in its event-loop mode, with synchronous subscriptions that are read without waiting. After a loss the
/// connection connects again and subscribes again. `withNATSConnection` provides one.
actor NATSConnection {
    /// Whether there is a connection to a server.
    enum Change: Sendable, Hashable {
        case connected, disconnected
        /// An attempt to connect failed in another way than the one before.
        case failed(NATSError)
    }

    private struct Subscription {
        let subject: String
        let queue: String?
        let receive: (Arrival) -> Void
        /// Nil while there is no connection.
        var pointer: OpaquePointer?
        var isPaused = false
    }

    /// The most messages of a subscription that are read before the loop continues.
    private static let maxBatch = 64

    /// The limit of sending what is buffered when the scope of the connection ends.
    private static let closingLimit: Duration = .milliseconds(500)

    nonisolated let loop: PollLoop
    private let options: NATSOptions
    private var link: Link?
    private var subscriptions: [UInt64: Subscription] = [:]
    /// The ids of the subscriptions that are not paused.
    private var reading: [UInt64] = []
    var questions: [UInt64: Question] = [:]
    /// Begins the subjects for answers, by convention.
    static let inboxPrefix = "_INBOX."
    /// Begins the subjects for answers to this connection.
    nonisolated let inbox: String
    private let checkSubject: String
    /// The messages of `checkServer` that have not come back.
    private var uncheckedMessages = 0
    private var observers = Observers<Change>()
    private var denialObservers = Observers<Denial>()
    private var hasMore = false
    private var isClosing = false
    /// The most bytes that the server takes in one message; 0 before the first connection.
    private(set) var maxPayload = 0
    /// Why the last attempt to connect failed; nil after a successful one.
    private(set) var lastFailure: NATSError?

    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    fileprivate init(_ options: NATSOptions, on loop: PollLoop) {
        self.options = options
        self.loop = loop
        // A user with a key may read its own subjects only.
        let user = options.key.map { "\($0.publicKey)." } ?? ""
        inbox = "\(Self.inboxPrefix)\(user)\(String(UInt64.random(in: 0 ... .max), radix: 36))"
        checkSubject = "\(inbox).check"
    }

    var isConnected: Bool { link != nil }

    /// Uses the connection from another actor of its loop, without waiting.
    nonisolated func perform<Result: Sendable, Failure: Error>(
        _ body: (isolated NATSConnection) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        // Safety: `body` runs here and now, on the executor of its caller.
        nonisolated(unsafe) let body = body
        let result: Swift.Result<Result, Failure> = assumeIsolated { connection in
            do throws(Failure) {
                return .success(try body(connection))
            } catch {
                return .failure(error)
            }
        }
        return try result.get()
    }

    /// The state now, and its changes from now on.
    func changes() -> AsyncStream<Change> { observe().stream }

    func observe() -> (stream: AsyncStream<Change>, continuation: AsyncStream<Change>.Continuation) {
        let id = loop.makeID()
        let observer = observers.add(id) { Task { await self.forget(id) } }
        observer.continuation.yield(isConnected ? .connected : .disconnected)
        if let lastFailure { observer.continuation.yield(.failed(lastFailure)) }
        return observer
    }

    private func forget(_ observer: UInt64) {
        observers.remove(observer)
        denialObservers.remove(observer)
    }

    /// What the server denies from now on.
    func denials() -> AsyncStream<Denial> {
        let id = loop.makeID()
        return denialObservers.add(id) { Task { await self.forget(id) } }.stream
    }

    private func report(_ denial: Denial) {
        // A refusal is an answer of the server, too.
        guard denial.subject != checkSubject else { return uncheckedMessages = 0 }
        if denial.operation == .publish {
            for (id, question) in questions where question.subject == denial.subject {
                questions[id]?.isDenied = true
                question.answers.finish()
            }
        }
        denialObservers.yield(denial)
    }

    private func report(_ change: Change) { observers.yield(change) }

    // MARK: Messages

    /// Sends a message at once; without a connection it is not kept for the next one.
    ///
    /// - Parameter headers: names and values of ASCII; a value without line breaks.
    /// - Throws: `NATSError`: too large, without a connection, or with an impossible subject.
    func publish(
        _ data: [UInt8], to subject: String, reply: String? = nil, headers: [(name: String, value: String)] = []
    ) throws(NATSError) {
        guard let link else { throw NATSError(code: .disconnected, operation: "publish to \(subject)") }
        guard data.count <= maxPayload else { throw NATSError(code: .tooLarge, operation: "publish to \(subject)") }
        var created: OpaquePointer?
        let status = data.withUnsafeBytes { bytes in
            nats.natsMsg_Create(
                &created, subject, reply, bytes.baseAddress?.assumingMemoryBound(to: CChar.self), Int32(data.count))
        }
        try NATSError.check(status, "make a message")
        defer { nats.natsMsg_Destroy(created) }
        for header in headers {
            try NATSError.check(nats.natsMsgHeader_Set(created, header.name, header.value), "set a header")
        }
        try NATSError.check(nats.natsConnection_PublishMsg(link.pointer, created), "publish to \(subject)")
    }

    /// Receives the messages of a subject from now on, over this connection and later ones.
    ///
    /// - Parameters:
    ///   - queue: of the subscriptions of a queue group one receives each message.
    ///   - receive: called on the loop.
    /// - Returns: an id, for `unsubscribe`.
    func subscribe(
        _ subject: String, queue: String? = nil, _ receive: sending @escaping (Arrival) -> Void
    ) throws(NATSError) -> UInt64 {
        var subscription = Subscription(subject: subject, queue: queue, receive: receive)
        do throws(NATSError) {
            if let link { subscription.pointer = try Self.subscribe(subject, queue, over: link) }
        } catch {
            // Lost just now: the next connection subscribes.
            guard error.code == .closed else { throw error }
        }
        let id = loop.makeID()
        subscriptions[id] = subscription
        reading.append(id)
        return id
    }

    private static func subscribe(
        _ subject: String, _ queue: String?, over link: Link
    ) throws(NATSError) -> OpaquePointer? {
        var made: OpaquePointer?
        let status: natsStatus
        if let queue {
            status = nats.natsConnection_QueueSubscribeSync(&made, link.pointer, subject, queue)
        } else {
            status = nats.natsConnection_SubscribeSync(&made, link.pointer, subject)
        }
        try NATSError.check(status, "subscribe to \(subject)")
        return made
    }

    /// Reads no messages of a subscription that expects none: each one that is read costs a call.
    func pause(_ id: UInt64) {
        guard subscriptions[id]?.isPaused == false else { return }
        subscriptions[id]?.isPaused = true
        reading.removeAll { $0 == id }
    }

    /// Reads its messages again.
    func resume(_ id: UInt64) {
        guard subscriptions[id]?.isPaused == true else { return }
        subscriptions[id]?.isPaused = false
        reading.append(id)
    }

    /// Ends a subscription after the messages that are on their way to it.
    func leave(_ id: UInt64) async {
        if let pointer = subscriptions[id]?.pointer {
            _ = nats.natsSubscription_Drain(pointer)
            // The server has sent its last message before it answers.
            _ = await makeRoundTrip(until: .now + .seconds(5))
            while let subscription = subscriptions[id], let arrival = subscription.pointer.flatMap(Arrival.next(of:)) {
                subscription.receive(arrival)
            }
        }
        unsubscribe(id)
    }

    /// Ends a subscription; its unread messages are dropped.
    func unsubscribe(_ id: UInt64) {
        reading.removeAll { $0 == id }
        guard let pointer = subscriptions.removeValue(forKey: id)?.pointer else { return }
        // Destroying includes the message to the server.
        nats.natsSubscription_Destroy(pointer)
    }

    // MARK: The loop

    /// Connects, and again after each loss, until the scope of the connection ends.
    fileprivate func run() async {
        // Without a connection it cannot fail; the first one subscribes.
        _ = try? subscribe(checkSubject) { [unowned self] _ in assumeIsolated { $0.uncheckedMessages = 0 } }
        while !isClosing {
            let link: Link
            do throws(NATSError) {
                link = try await Link.connect(options, on: loop) { denial in Task { await self.report(denial) } }
                lastFailure = nil
            } catch {
                if lastFailure != error { report(.failed(error)) }
                lastFailure = error
                // Nobody cancels this task: `close` is noticed after the pause.
                try? await Task.sleep(for: options.reconnectWait)
                continue
            }
            adopt(link)
            await withDiscardingTaskGroup { group in
                group.addTask(executorPreference: loop.tasks) { await self.read(link) }
                group.addTask(executorPreference: loop.tasks) { await self.write(link) }
                group.addTask(executorPreference: loop.tasks) { await self.checkServer(link) }
                if isClosing { link.shutDown() }
                await link.reports.end.wait()
                group.cancelAll()
            }
            abandon()
        }
    }

    private func adopt(_ link: Link) {
        self.link = link
        maxPayload = Int(nats.natsConnection_GetMaxPayload(link.pointer))
        for (id, subscription) in subscriptions {
            // Its subject was accepted before, or the server refuses it to this client: then nothing arrives.
            subscriptions[id]?.pointer = try? Self.subscribe(subscription.subject, subscription.queue, over: link)
        }
        report(.connected)
    }

    private func abandon() {
        receiveAll()
        for id in subscriptions.keys {
            if let pointer = subscriptions[id]?.pointer { nats.natsSubscription_Destroy(pointer) }
            subscriptions[id]?.pointer = nil
        }
        link = nil
        for question in questions.values { question.answers.finish() }
        report(.disconnected)
    }

    private func read(_ link: Link) async {
        while !Task.isCancelled {
            if hasMore {
                // The loop's other actors run in between.
                await Task.yield()
            } else if await link.watch.wait(forRoom: false) {
                nats.natsConnection_ProcessReadEvent(link.pointer)
            }
            receiveAll()
        }
    }

    private func write(_ link: Link) async {
        while !Task.isCancelled {
            if await link.watch.wait(forRoom: true) { nats.natsConnection_ProcessWriteEvent(link.pointer) }
        }
    }

    /// Ends the connection when its messages to itself do not come back: the server is suspended, or the network drops
    /// what is sent.
    private func checkServer(_ link: Link) async {
        uncheckedMessages = 0
        // Until the cancellation, which is all that sleeping throws.
        while (try? await Task.sleep(for: options.checkInterval)) != nil {
            guard uncheckedMessages < 2 else { return link.shutDown() }
            uncheckedMessages += 1
            // One that cannot be sent counts as unanswered.
            try? publish([], to: checkSubject)
        }
    }

    private func receiveAll() {
        hasMore = false
        for id in reading {
            var count = 0
            // Looked up each time: a receiver may end any subscription.
            while count < Self.maxBatch, let subscription = subscriptions[id], let pointer = subscription.pointer,
                let arrival = Arrival.next(of: pointer)
            {
                subscription.receive(arrival)
                count += 1
            }
            if count == Self.maxBatch { hasMore = true }
        }
    }

    /// Sends what is buffered, and ends the connection.
    fileprivate func close() async {
        isClosing = true
        guard link != nil else { return }
        _ = await makeRoundTrip(until: .now + Self.closingLimit)
        link?.shutDown()
    }
}

/// Runs `body` with a connection that connects as soon as a server is there, and closes it afterwards.
///
/// - Throws: `NATSError` for impossible options; what `body` throws.
func withNATSConnection<Result: Sendable>(
    _ options: NATSOptions, on loop: PollLoop, _ body: (NATSConnection) async throws -> Result
) async throws -> Result {
    try options.check()
    let connection = NATSConnection(options, on: loop)
    // Unstructured: the connection outlasts the cancellation of `body`, whose last messages it sends.
    let running = Task(executorPreference: loop.tasks) { await connection.run() }
    let result: Swift.Result<Result, any Error>
    do {
        result = .success(try await body(connection))
    } catch {
        result = .failure(error)
    }
    await Task(executorPreference: loop.tasks) { await connection.close() }.value
    await running.value
    return try result.get()
}
