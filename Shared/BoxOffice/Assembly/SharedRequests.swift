internal import Envelope
internal import MessageBus

/// Merges identical requests that are in flight in this process at the same time into one message.
///
/// Each caller keeps its own deadline. Cancellation or timeout of one caller does not affect the others; after the last
/// caller has left, the message is cancelled.
public actor SharedRequests {
    private struct Key: Hashable {
        let service: String
        let kind: String
        let requestClass: RequestClass
        let payload: [UInt8]
    }

    private struct InFlight {
        /// Distinguishes it from a later message with the same key.
        let number: Int
        let task: Task<Void, Never>
        let deadline: ContinuousClock.Instant
        var callers: [Int: CheckedContinuation<BusReply, any Error>] = [:]
    }

    private var inFlight: [Key: InFlight] = [:]
    private var lastNumber = 0

    public init() {}

    /// The number of callers that wait for a reply.
    var waiting: Int { inFlight.values.reduce(0) { $0 + $1.callers.count } }

    /// The reply to this request, or to an identical one in flight.
    ///
    /// - Parameter send: sends the request and waits for the reply until the deadline, for all callers that share it.
    /// - Returns: the reply, and whether it came from another caller's message.
    /// - Throws: what `send` throws; `CancellationError` when the caller's task was cancelled.
    func reply(
        to request: BusRequest, deadline: ContinuousClock.Instant,
        send: @escaping @Sendable () async throws -> BusReply
    ) async throws -> (reply: BusReply, isShared: Bool) {
        let key = Key(
            service: request.service, kind: request.kind, requestClass: request.trace.requestClass,
            payload: request.payload)
        while true {
            let shared = inFlight[key]?.deadline
            do {
                let reply = try await wait(for: key, deadline: deadline, service: request.service, send: send)
                return (reply, shared != nil)
            } catch let failure as Failure where failure.code == .timeout {
                // Only the deadline of the caller that sent it has passed.
                guard let shared, shared < deadline, .now < deadline else { throw failure }
            } catch is CancellationError where !Task.isCancelled {
                // The previous last caller cancelled its message just when this caller joined it.
                continue
            }
        }
    }

    private func wait(
        for key: Key, deadline: ContinuousClock.Instant, service: String,
        send: @escaping @Sendable () async throws -> BusReply
    ) async throws -> BusReply {
        let caller = makeNumber()
        // The message's deadline ends the wait of its sender and of all callers whose deadline is not earlier.
        let endsEarlier = inFlight[key].map { deadline < $0.deadline } ?? false
        let timer = endsEarlier ? startTimer(until: deadline, caller, key, service) : nil
        defer { timer?.cancel() }
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                guard !Task.isCancelled else { return continuation.resume(throwing: CancellationError()) }
                if inFlight[key] == nil { start(key, deadline: deadline, send: send) }
                inFlight[key]?.callers[caller] = continuation
            }
        } onCancel: {
            // A cancellation handler cannot wait for the actor.
            Task { await self.cancel(key, caller) }
        }
    }

    private func start(
        _ key: Key, deadline: ContinuousClock.Instant, send: @escaping @Sendable () async throws -> BusReply
    ) {
        let number = makeNumber()
        // An unstructured task, since it outlives its first caller while other callers wait.
        let task = Task {
            let result: Result<BusReply, any Error>
            do {
                result = .success(try await send())
            } catch {
                result = .failure(error)
            }
            self.finish(key, number, with: result)
        }
        inFlight[key] = InFlight(number: number, task: task, deadline: deadline)
    }

    private func finish(_ key: Key, _ number: Int, with result: Result<BusReply, any Error>) {
        guard let request = inFlight[key], request.number == number else { return }
        inFlight[key] = nil
        for caller in request.callers.values { caller.resume(with: result) }
    }

    private func makeNumber() -> Int {
        lastNumber += 1
        return lastNumber
    }

    private func startTimer(
        until deadline: ContinuousClock.Instant, _ caller: Int, _ key: Key, _ service: String
    ) -> Task<Void, Never> {
        // Runs beside the wait, whose continuation is resumed by a reply, a cancellation or this timer.
        Task {
            // Fails only by cancellation: then the caller has its reply.
            guard (try? await Task.sleep(until: deadline, clock: .continuous)) != nil else { return }
            self.leave(key, caller, with: Failure.deadlinePassed(service: service))
        }
    }

    /// The last caller waits until its message is cancelled: the bus may be closed right afterwards.
    private func cancel(_ key: Key, _ caller: Int) {
        guard let request = inFlight[key], request.callers[caller] != nil else { return }
        if request.callers.count == 1 { request.task.cancel() } else { leave(key, caller, with: CancellationError()) }
    }

    private func leave(_ key: Key, _ caller: Int, with error: any Error) {
        inFlight[key]?.callers.removeValue(forKey: caller)?.resume(throwing: error)
        guard let request = inFlight[key], request.callers.isEmpty else { return }
        inFlight[key] = nil
        request.task.cancel()
    }
}
