internal import Contracts
internal import Envelope
public import Logging
internal import Majordomo
public import MessageBus
public import ProcessKit
public import ServiceLifecycle
internal import Synchronization

/// The worker of a service: answers the service's own kinds and the common kinds, drains on TERM.
public struct WorkerService: Service {
    /// Answers one request of the service's own kinds; throws a `Failure` or `RequestReturned`.
    public typealias Handler = @Sendable (IncomingRequest) async throws -> ServiceAnswer

    private let bus: MessageBus
    private let options: BusWorkerOptions
    private let clock: WallClock
    private let logger: Logger
    private let handler: Handler
    private let upstreams: (@Sendable () async -> [UpstreamHealth])?
    private let identity: ServiceIdentity
    private let counts = Counts()

    /// Shared by all copies of the service.
    private final class Counts: Sendable {
        let tally = Mutex(ServiceTally())
    }

    /// - Parameter upstreams: The state of the hosts that the service calls; nil for a service that calls none.
    public init(
        _ options: BusWorkerOptions, bus: MessageBus, clock: WallClock = .system, logger: Logger,
        upstreams: (@Sendable () async -> [UpstreamHealth])? = nil, handler: @escaping Handler
    ) {
        self.bus = bus
        self.options = options
        self.clock = clock
        self.logger = logger
        self.handler = handler
        self.upstreams = upstreams
        identity = ServiceIdentity(name: options.service, id: bus.instance, clock: clock)
    }

    /// A worker without kinds of its own: with it a server of pages appears in ping, stats and doctor.
    public static func aboutItself(_ service: String, bus: MessageBus, logger: Logger) -> WorkerService {
        let capacity = ServiceDescription.named(service)?.capacity ?? 1
        let options = BusWorkerOptions(service: service, capacity: capacity, isExclusive: true)
        return WorkerService(options, bus: bus, logger: logger) { request in
            throw Failure.unknownKind(request.envelope.header.kind, service: service)
        }
    }

    public func run() async throws {
        let worker = bus.worker(options)
        do {
            try await withGracefulShutdownHandler {
                try await worker.serve { request throws(RequestReturned) in
                    try await answer(request, busFailures: worker.failures)
                }
            } onGracefulShutdown: {
                worker.drain()
            }
        } catch let dismissal as WorkerDismissal {
            throw StartupError(dismissal, instance: bus.instance, service: options.service)
        }
    }

    /// - Parameter busFailures: The failures that the bus has answered in place of this service.
    func answer(
        _ request: IncomingRequest, busFailures: @autoclosure () -> [FailureCode: Int] = [:]
    ) async throws(RequestReturned) -> Envelope {
        let start = ContinuousClock.now
        let answer: ServiceAnswer
        switch request.envelope.header.kind {
        case ServiceRequest.pingKind: answer = ServiceAnswer()
        case ServiceRequest.infoKind: answer = makeAnswer { identity.info() }
        case ServiceRequest.statsKind:
            let stats = await stats(busFailures: busFailures())
            answer = makeAnswer { stats }
        default: answer = try await answerAndCount(request, since: start)
        }
        let work = ContinuousClock.now - start
        let header = request.envelope.header
        let reply = Header(
            query: header.query, parent: header.parent, kind: header.kind, sender: bus.instance,
            traceparent: header.traceparent, source: answer.source, status: answer.status, failure: answer.failure,
            cache: answer.cache,
            timing: RequestTiming(
                workMicroseconds: work.wholeMicroseconds,
                upstreamMicroseconds: answer.upstream?.took.wholeMicroseconds,
                upstreamCalls: answer.upstream?.calls, upstreamOutcomes: answer.upstream?.outcomes))
        bus.publish(
            Event(
                at: clock.microseconds, kind: EventKind.answered(header.kind), source: bus.instance,
                query: request.trace.queryText, request: request.requestText,
                attributes: answer.eventAttributes(work: work, to: header)))
        return Envelope(header: reply, payload: answer.payload, attachments: answer.attachments)
    }

    func stats(busFailures: [FailureCode: Int] = [:]) async -> ServiceStats {
        let info = identity.info()
        let droppedEvents = bus.droppedEvents
        let upstreams = await upstreams?()
        return counts.tally.withLock {
            $0.stats(of: info, busFailures: busFailures, droppedEvents: droppedEvents, upstreams: upstreams)
        }
    }

    private func answerAndCount(
        _ request: IncomingRequest, since start: ContinuousClock.Instant
    ) async throws(RequestReturned) -> ServiceAnswer {
        counts.tally.withLock { $0.began(attempts: request.attempts) }
        // The caller has already timed out: work and upstream calls would be useless.
        guard request.deadline > start else {
            counts.tally.withLock { $0.expiredUnstarted() }
            return .failed(.expired(service: options.service))
        }
        let answer: ServiceAnswer
        do {
            answer = try await isAllowed(request) ? callHandler(request) : .failed(.forbidden(request))
        } catch {
            counts.tally.withLock { $0.returned() }
            throw error
        }
        let took = ContinuousClock.now - start
        counts.tally.withLock {
            $0.ended(
                answer.status == .failed ? answer.failure : nil, request: request.requestText, at: clock.microseconds,
                took: took)
        }
        return answer
    }

    private func isAllowed(_ request: IncomingRequest) -> Bool {
        request.role >= Role.least(for: request.envelope.header.kind).rawValue
    }

    /// The payload of a request contains names and numbers; values are attachments.
    static let maxPayloadBytes = 256 << 10

    private func callHandler(_ request: IncomingRequest) async throws(RequestReturned) -> ServiceAnswer {
        let size = request.envelope.payload.count
        guard size <= Self.maxPayloadBytes else {
            return .failed(.malformedEnvelope("a payload of \(size) bytes, at most \(Self.maxPayloadBytes) are read"))
        }
        do {
            return try await handler(request)
        } catch let returned as RequestReturned {
            throw returned
        } catch let failure as Failure {
            return .failed(failure)
        } catch let error as DecodingError {
            return .failed(.malformedPayload(error))
        } catch {
            logger.error(
                "a request failed", metadata: ["kind": "\(request.envelope.header.kind)", "error": "\(error)"])
            return .failed(.defect(error))
        }
    }

    /// The answer to a request of a common kind.
    private func makeAnswer(_ value: () -> some Encodable) -> ServiceAnswer {
        do {
            return try .json(value())
        } catch {
            return .failed(.defect(error))
        }
    }
}
