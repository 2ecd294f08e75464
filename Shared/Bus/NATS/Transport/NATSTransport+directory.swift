internal import Envelope
internal import MessageBus

extension NATSTransport {
    func ping(deadline: ContinuousClock.Instant) async throws {
        guard await connection.makeRoundTrip(until: deadline) else { throw await serversLost }
    }

    func workers(deadline: ContinuousClock.Instant) async throws -> BrokerStatus {
        let answers = try await ask(.stats, of: nil, deadline: deadline)
        let workers = answers.flatMap { $0.endpoints ?? [] }.compactMap { $0.counts?.data }
        return BrokerStatus(
            workers: workers.sorted { ($0.service, $0.instance) < ($1.service, $1.instance) }, silentWorkers: [],
            broker: nil)
    }

    func hasWorker(for service: String, deadline: ContinuousClock.Instant) async throws -> Bool {
        try await !ask(.ping, of: service, deadline: deadline) { _ in true }.isEmpty
    }

    /// The servers have counters of their own, in their own form.
    func brokerStats(deadline: ContinuousClock.Instant) async throws -> BrokerFigures? {
        try await ping(deadline: deadline)
        return nil
    }

    /// - Returns: nothing when there is no such service, or when it does not answer in time.
    private func ask(
        _ verb: MicroService.Verb, of service: String?, deadline: ContinuousClock.Instant,
        isComplete: @Sendable ([NATSMessage]) -> Bool = { _ in false }
    ) async throws -> [MicroService.Answer] {
        do throws(NATSError) {
            return try await directory.ask(verb, of: service, until: deadline, isComplete: isComplete)
        } catch {
            switch error.code {
            case .noResponders: return []
            case .notPermitted: throw Failure.notPermitted(verb.subject(of: service))
            // Instances that are there and silent.
            case .timeout where !Task.isCancelled: return []
            default: throw await serversLost
            }
        }
    }
}
