internal import Envelope
internal import PollLoop

/// Finds the instances of services by asking them.
actor ServiceDirectory {
    /// An instance, and the connection over which it is reached now.
    struct Place: Sendable {
        let instance: String
        let connection: String
    }

    private nonisolated let loop: PollLoop
    private let connection: NATSConnection
    private let timing: DispatchTiming
    private var inquiries: [String: Task<[Place], Never>] = [:]

    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    init(_ connection: NATSConnection, timing: DispatchTiming, on loop: PollLoop) {
        self.connection = connection
        self.timing = timing
        self.loop = loop
    }

    /// The instances that answer in time; concurrent inquiries share one.
    func instances(of service: String) async -> [Place] {
        if let inquiry = inquiries[service] { return await inquiry.value }
        let inquiry = Task(executorPreference: loop.tasks) { await self.inquire(service) }
        inquiries[service] = inquiry
        defer { inquiries[service] = nil }
        return await inquiry.value
    }

    private func inquire(_ service: String) async -> [Place] {
        let answers = try? await ask(.ping, of: service, until: .now + timing.inquiry)
        return answers?.compactMap(\.place) ?? []
    }

    /// Asks all instances of a service, or of all services.
    ///
    /// - Throws: `NATSError` without any answer.
    func ask(
        _ verb: MicroService.Verb, of service: String?, until deadline: ContinuousClock.Instant,
        isComplete: @Sendable ([NATSMessage]) -> Bool = { _ in false }
    ) async throws(NATSError) -> [MicroService.Answer] {
        let answers = try await connection.ask(
            verb.subject(of: service), until: deadline, window: NATSTiming.directoryWindow, isComplete: isComplete)
        // A service of others may answer in another way.
        return answers.compactMap { try? JSONBytes.decode(MicroService.Answer.self, from: $0.data) }
            .filter { $0.type == verb.type }
    }
}
