internal import Envelope
internal import Localization
internal import MessageBus
internal import PollLoop

/// The servers of NATS: queue groups for requests, JetStream for events, the micro protocol for the directory.
final class NATSTransport: BusTransport {
    private let configuration: NATSConfiguration
    private let bus: BusConfiguration
    private let loop: PollLoop
    let connection: NATSConnection
    let directory: ServiceDirectory
    private let client: NATSClient
    private let publisher: NATSEventPublisher
    /// Of this process, in the records of its names.
    private let holder: ClaimStateMachine.Record

    init(_ configuration: NATSConfiguration, of bus: BusConfiguration, _ connection: NATSConnection, on loop: PollLoop)
    {
        self.configuration = configuration
        self.bus = bus
        self.loop = loop
        self.connection = connection
        directory = ServiceDirectory(connection, timing: configuration.dispatch, on: loop)
        client = NATSClient(configuration, connection, directory, on: loop)
        holder = ClaimStateMachine.Record(instance: bus.instance, process: UniqueNumber.next())
        publisher = NATSEventPublisher(connection, timing: configuration.outbox, on: loop)
    }

    var address: String { configuration.address }

    var executor: any TaskExecutor { loop.tasks }

    func run() async throws {
        await withTaskGroup(of: Void.self) { group in
            group.addTask(executorPreference: executor) { await self.client.run() }
            group.addTask(executorPreference: executor) { await self.publisher.run() }
            for await change in await connection.changes() {
                guard case .failed(let error) = change, Self.isRefusal(error) else { continue }
                bus.onProblem(.serversLost(address: address, cause: error))
            }
        }
    }

    /// Others pass by themselves.
    private static func isRefusal(_ error: NATSError) -> Bool {
        [.authenticationFailed, .encryptionFailed, .encryptionMissing].contains(error.code)
    }

    var serversLost: Failure {
        get async { .serversLost(address: address, cause: await connection.lastFailure) }
    }

    func flush() async {
        await publisher.finish(within: bus.linger)
    }

    func request(_ call: BusCall) async throws -> (control: ControlFrame, content: ArraySlice<Frame>) {
        switch await client.request(call) {
        case .reply(let control, let content): return (control, content)
        case .dispatch(.refused(let refusal, let attempts)):
            throw Failure.refused(refusal, service: call.service, attempts: Int(attempts))
        case .dispatch(.deadlinePassed): throw Failure.deadlinePassed(service: call.service)
        case .dispatch(.serverLost): throw await serversLost
        case .tooLarge(let size, let limit): throw Failure.exceedsServer(size, limit: limit)
        case .notPermitted(let subject): throw Failure.notPermitted(subject)
        case .tooManyRequests: throw Failure.refused(.overloaded, service: call.service, attempts: 0)
        case .failed(let error):
            throw Failure(
                .internal, LocalizedText(ko: "내부 오류: \(error)", en: "Internal error: \(error)"), isRetryable: false)
        case nil: throw CancellationError()
        }
    }

    func post(_ call: BusCall) async -> Bool {
        await client.post(call)
    }

    func worker(_ options: BusWorkerOptions) -> any BusWorker {
        NATSWorker(options, configuration, connection, of: holder, on: loop, onProblem: bus.onProblem)
    }

    func publish(_ event: Event) {
        publisher.publish(event)
    }

    var droppedEvents: Int { publisher.dropped }

    /// A server of NATS sends events to readers of its own: there is nothing to save.
    func poll(every interval: Duration) async throws -> any EventStream {
        try await subscribe(last: 0, deadline: nil)
    }

    func subscribe(last: Int, deadline: ContinuousClock.Instant?) async throws -> any EventStream {
        try await NATSEventStream(
            connection, on: loop, last: last, deadline: deadline ?? .now + NATSTiming.logOpeningLimit)
    }
}
