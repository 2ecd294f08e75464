public import Envelope
public import MessageBus

/// Collects an answer of each worker of one service: its stats, or its response time.
///
/// A request cannot be addressed to a worker: the broker dispatches each one to the least recently used worker. So a
/// round sends one request per worker, all at once, and rounds repeat while a worker is missing.
public struct WorkerCensus<Value: Sendable>: Sendable {
    /// In a busy service other requests come in between, and a round of n requests reaches a given worker among n with
    /// a probability of only two in three: twelve rounds miss one in 300,000.
    private static var maxRounds: Int { 12 }

    public let service: String
    private let present: Int
    private let wanted: String?
    private var received: [String: Result<Value, Failure>] = [:]
    public private(set) var missing: Set<String>
    /// Why a request reached no worker.
    public private(set) var lastFailure: Failure?
    private var rounds = 0
    private var hasNews = false
    private var hasFailed = false

    /// - Parameters:
    ///   - instances: all workers of the service.
    ///   - wanted: one of them; nil for all.
    public init(service: String, instances: [String], wanted: String? = nil) {
        self.service = service
        self.wanted = wanted
        present = instances.count
        missing = Set(instances.filter { wanted == nil || $0 == wanted })
    }

    /// Whether the caller asked for this worker, which the broker has removed.
    public func concerns(_ worker: BrokerStatus.SilentWorker) -> Bool {
        worker.service == service && (wanted == nil || wanted == worker.instance)
    }

    /// Begins a round and returns the number of requests to send; 0 ends the census.
    package mutating func nextRound() -> Int {
        let isOver =
            rounds == Self.maxRounds || (rounds > 0 && missing.isEmpty)
            // The missing worker does not answer; each further round would only wait for it again.
            || (hasFailed && !hasNews)
        guard !isOver else { return 0 }
        rounds += 1
        (hasNews, hasFailed) = (false, false)
        // Without any worker, one request returns the reason.
        return max(1, present)
    }

    /// - Parameter answer: its value, or its own failure, for example from a worker of another release.
    package mutating func answered(_ instance: String, _ answer: Result<Value, Failure>) {
        if missing.remove(instance) != nil { hasNews = true }
        received[instance] = answer
    }

    /// Records that a request reached no worker that answered it.
    package mutating func failed(_ failure: Failure) {
        lastFailure = failure
        hasFailed = true
    }

    /// The answers of the wanted workers, by instance.
    public var answers: [(instance: String, answer: Result<Value, Failure>)] {
        received.filter { wanted == nil || $0.key == wanted }.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    }
}

extension MessageBus {
    /// Asks all workers of a service.
    ///
    /// - Parameters:
    ///   - kind: of the requests, which have no payload.
    ///   - deadline: of each request.
    ///   - value: of a worker's reply.
    public func runCensus<Value>(
        _ census: WorkerCensus<Value>, kind: String, deadline: ContinuousClock.Instant,
        _ value: @Sendable (BusReply) -> Result<Value, Failure>
    ) async throws -> WorkerCensus<Value> {
        var census = census
        while case let questions = census.nextRound(), questions > 0 {
            try await withThrowingTaskGroup(of: Result<BusReply, Failure>.self) { group in
                for _ in 0..<questions {
                    group.addTask { [service = census.service] in
                        try await self.inspect(service, kind, deadline: deadline)
                    }
                }
                for try await result in group {
                    switch result {
                    case .failure(let failure): census.failed(failure)
                    case .success(let reply): census.answered(reply.envelope.header.sender, value(reply))
                    }
                }
            }
        }
        return census
    }

    private func inspect(
        _ service: String, _ kind: String, deadline: ContinuousClock.Instant
    ) async throws -> Result<BusReply, Failure> {
        // Not idempotent: redelivery to another worker would add no information and count as a redelivery.
        let request = BusRequest(service: service, kind: kind, trace: .root(), isIdempotent: false)
        do {
            return .success(try await self.request(request, deadline: deadline))
        } catch let failure as Failure {
            return .failure(failure)
        }
    }
}
