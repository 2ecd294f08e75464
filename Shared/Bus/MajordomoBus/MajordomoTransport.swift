internal import Envelope
internal import Majordomo
internal import MessageBus
internal import PollLoop
internal import ZeroMQ

/// Our broker, which speaks Majordomo over ZeroMQ.
final class MajordomoTransport: BusTransport {
    let configuration: MajordomoConfiguration
    let context: Context
    private let bus: BusConfiguration
    private let client: ClientConnection
    private let publisher: EventPublisher

    init(_ configuration: MajordomoConfiguration, of bus: BusConfiguration, context: Context) {
        self.configuration = configuration
        self.bus = bus
        self.context = context
        let publisher = EventPublisher(
            endpoint: configuration.endpoints.eventsIn,
            options: .bus(configuration, of: bus, endpoint: configuration.endpoints.eventsIn), context: context)
        self.publisher = publisher
        client = ClientConnection(configuration, of: bus, context: context) { isRefused in
            if isRefused {
                bus.onProblem(.brokerRefuses(endpoint: configuration.endpoints.requests))
            } else {
                publisher.reconnect()
            }
        }
    }

    var address: String { configuration.endpoints.requests }

    var executor: any TaskExecutor { context.loop.tasks }

    func run() async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            // These tasks run only on the loop: without this preference every wait ends with a hop to a thread of the
            // pool and back.
            group.addTask(executorPreference: executor) { try await self.client.run() }
            group.addTask(executorPreference: executor) { try await self.publisher.run() }
            // Not waitForAll(), which would wait for one after a failure of the other.
            while try await group.next() != nil {}
        }
    }

    func flush() async {
        await publisher.flush()
    }

    func request(_ call: BusCall) async throws -> (control: ControlFrame, content: ArraySlice<Frame>) {
        switch await client.request(call) {
        case .reply(let control, let content): return (control, content)
        case .refused(let refusal, let attempts):
            throw Failure.refused(refusal, service: call.service, attempts: attempts)
        case .deadlinePassed: throw Failure.deadlinePassed(service: call.service)
        case .brokerLost:
            throw await client.isRefused ? Failure.brokerRefuses(endpoint: address) : .brokerLost(endpoint: address)
        case nil: throw CancellationError()
        }
    }

    func post(_ call: BusCall) async -> Bool {
        await client.post(call)
    }

    func worker(_ options: BusWorkerOptions) -> any BusWorker {
        WorkerConnection(options, configuration, of: bus, context: context)
    }

    func publish(_ event: Event) {
        publisher.publish(event)
    }

    var droppedEvents: Int { publisher.dropped }

    func poll(every interval: Duration) async throws -> any EventStream {
        try await PolledEventStream(of: self, every: interval)
    }

    func subscribe(last: Int, deadline: ContinuousClock.Instant?) async throws -> any EventStream {
        let endpoint = configuration.endpoints.events
        return try await BrokerEventStream(
            of: self, endpoint: endpoint, options: .bus(configuration, of: bus, endpoint: endpoint), last: last,
            deadline: deadline ?? .now + SubscriptionTiming.pageLimit)
    }
}
