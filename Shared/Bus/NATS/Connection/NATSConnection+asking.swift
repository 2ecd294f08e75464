internal import PollLoop

/// Questions to the server and to services; each has a subscription of its own, so that it learns of its lack of
/// responders.
extension NATSConnection {
    /// One that waits for answers.
    struct Question {
        let subject: String
        let answers: AsyncStream<Arrival>.Continuation
        /// Set before `answers` ends.
        var isDenied = false
    }

    /// Sends a question, and collects the answers.
    ///
    /// - Parameters:
    ///   - window: how long a further answer is awaited after each.
    ///   - isComplete: false while more answers are expected.
    /// - Returns: at least one answer.
    /// - Throws: `NATSError`: not permitted, no responders, no answer until the deadline or the cancellation, without a connection.
    func ask(
        _ subject: String, _ data: [UInt8] = [], headers: [(name: String, value: String)] = [],
        until deadline: ContinuousClock.Instant, window: Duration? = nil,
        isComplete: @Sendable ([NATSMessage]) -> Bool = { _ in true }
    ) async throws(NATSError) -> [NATSMessage] {
        try await collect(of: subject, until: deadline, window: window, isComplete: isComplete) {
            inbox throws(NATSError) in
            try publish(data, to: subject, reply: inbox, headers: headers)
        }
    }

    /// Sends a message to itself; false when the connection is lost, or the deadline passes, before it arrives.
    func makeRoundTrip(until deadline: ContinuousClock.Instant) async -> Bool {
        let arrived = try? await collect(of: "itself", until: deadline) { inbox throws(NATSError) in
            try publish([], to: inbox)
        }
        return arrived != nil
    }

    private func collect(
        of subject: String, until deadline: ContinuousClock.Instant, window: Duration? = nil,
        isComplete: @Sendable ([NATSMessage]) -> Bool = { _ in true }, send: (_ inbox: String) throws(NATSError) -> Void
    ) async throws(NATSError) -> [NATSMessage] {
        guard await waitUntilConnected(until: deadline) else {
            throw NATSError(code: .disconnected, operation: "ask \(subject)")
        }
        let (arrivals, arrived) = AsyncStream.makeStream(of: Arrival.self)
        let id = loop.makeID()
        let inbox = "\(inbox).ask.\(id)"
        let subscription = try subscribe(inbox) { arrived.yield($0) }
        questions[id] = Question(subject: subject, answers: arrived)
        let limit = finish(arrived, at: deadline)
        var quiet: Task<Void, any Error>?
        defer {
            limit.cancel()
            quiet?.cancel()
            questions[id] = nil
            unsubscribe(subscription)
        }
        try send(inbox)
        var answers: [NATSMessage] = []
        for await arrival in arrivals {
            guard case .message(let answer) = arrival else {
                throw NATSError(code: .noResponders, operation: "ask \(subject)")
            }
            answers.append(answer)
            if isComplete(answers) { break }
            guard let window else { continue }
            quiet?.cancel()
            quiet = finish(arrived, at: .now + window)
        }
        if questions[id]?.isDenied == true { throw NATSError(code: .notPermitted, operation: "ask \(subject)") }
        guard !answers.isEmpty else {
            throw NATSError(code: isConnected ? .timeout : .disconnected, operation: "ask \(subject)")
        }
        return answers
    }

    /// False when there is no connection at the deadline.
    private func waitUntilConnected(until deadline: ContinuousClock.Instant) async -> Bool {
        if isConnected { return true }
        let (changes, observer) = observe()
        let limit = finish(observer, at: deadline)
        defer { limit.cancel() }
        for await change in changes where change == .connected { return true }
        return isConnected
    }

    private func finish<Element: Sendable>(
        _ answers: AsyncStream<Element>.Continuation, at instant: ContinuousClock.Instant
    ) -> Task<Void, any Error> {
        Task(executorPreference: loop.tasks) {
            try await Task.sleep(until: instant)
            answers.finish()
        }
    }
}
