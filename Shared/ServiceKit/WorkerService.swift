public import Envelope
public import Logging
public import MessageBus
public import ServiceLifecycle

/// A service's worker for as long as the process runs: answers its own kinds and "service.ping", drains on TERM.
public struct WorkerService: Service {
    /// Answers one request of the service's own kinds; throws a `Failure` to say why not.
    public typealias Handler = @Sendable (IncomingRequest) async throws -> ServiceAnswer

    /// Answered by every service with an empty payload: is anybody there, and how fast.
    public static let pingKind = "service.ping"

    private let bus: MessageBus
    private let options: BusWorkerOptions
    private let clock: WallClock
    private let logger: Logger
    private let handler: Handler

    public init(
        _ options: BusWorkerOptions, bus: MessageBus, clock: WallClock = .system, logger: Logger,
        handler: @escaping Handler
    ) {
        self.bus = bus
        self.options = options
        self.clock = clock
        self.logger = logger
        self.handler = handler
    }

    public func run() async throws {
        let worker = bus.worker(options)
        do {
            try await withGracefulShutdownHandler {
                try await worker.serve { await answer($0) }
            } onGracefulShutdown: {
                worker.drain()
            }
        } catch let dismissal as BusWorkerDismissal {
            throw StartupError(dismissal, instance: bus.instance, service: options.service)
        }
    }

    private func answer(_ request: IncomingRequest) async -> Envelope {
        let start = ContinuousClock.now
        let answer = await answered(request)
        let work = ContinuousClock.now - start
        let header = request.envelope.header
        let reply = Header(
            query: header.query, parent: header.parent, kind: header.kind, sender: bus.instance,
            traceparent: header.traceparent, status: answer.status, failure: answer.failure, cache: answer.cache,
            timing: TimingFacts(
                workMicroseconds: work.wholeMicroseconds,
                upstreamMicroseconds: answer.upstream?.took.wholeMicroseconds,
                upstreamCalls: answer.upstream?.calls))
        bus.publish(event(of: request, answer, work: work))
        return Envelope(header: reply, payload: answer.payload, attachments: answer.attachments)
    }

    private func answered(_ request: IncomingRequest) async -> ServiceAnswer {
        if request.envelope.header.kind == Self.pingKind { return ServiceAnswer() }
        do {
            return try await handler(request)
        } catch let failure as Failure {
            return .failed(failure)
        } catch {
            logger.error(
                "a request failed", metadata: ["kind": "\(request.envelope.header.kind)", "error": "\(error)"])
            return .failed(
                Failure(
                    .internal, LocalizedText(ko: "내부 오류: \(error)", en: "Internal error: \(error)"),
                    isRetryable: false))
        }
    }

    private func event(of request: IncomingRequest, _ answer: ServiceAnswer, work: Duration) -> Event {
        var facts: [String: Fact] = [
            "status": .text(answer.status.rawValue), "workMicroseconds": .number(work.wholeMicroseconds),
        ]
        if let failure = answer.failure { facts["code"] = .text(failure.code.rawValue) }
        if let cache = answer.cache { facts["cache"] = .text(cache.summary) }
        if let upstream = answer.upstream {
            facts["upstreamCalls"] = .number(upstream.calls)
            facts["upstreamMicroseconds"] = .number(upstream.took.wholeMicroseconds)
        }
        return Event(
            at: clock.microseconds, kind: "\(request.envelope.header.kind).answered", source: bus.instance,
            query: request.trace.queryText, request: request.requestText, facts: facts)
    }
}

extension StartupError {
    init(_ dismissal: BusWorkerDismissal, instance: String, service: String) {
        let text =
            switch dismissal {
            case .exclusive:
                "The broker refuses \(instance): another \(service) is registered, and there can be only one. "
                    + "Stop that one first; gateway workers names it."
            case .doubled:
                "The broker expelled \(instance): another process has registered under this name. "
                    + "Stop one of the two, or give it a BOXOFFICE_INSTANCE of its own."
            }
        self.init(text, exitStatus: ExitStatus.unavailable)
    }
}

extension Failure {
    /// A kind that this service does not serve.
    public static func unknownKind(_ kind: String, service: String) -> Failure {
        Failure(
            .malformed,
            LocalizedText(
                ko: "\(service) 서비스는 \(kind) 요청을 알지 못합니다.", en: "\(service) does not know the request \(kind)."),
            isRetryable: false)
    }
}

extension CacheFacts {
    /// As "hit", "fwd=miss", "fwd=stale; collapsed".
    public var summary: String {
        var words = [hit ? "hit" : "fwd=\((fwd ?? .uriMiss).rawValue)"]
        if collapsed == true { words.append("collapsed") }
        if stored == true { words.append("stored") }
        return words.joined(separator: "; ")
    }
}

extension Duration {
    public var wholeMicroseconds: Int {
        Int(components.seconds) * 1_000_000 + Int(components.attoseconds / 1_000_000_000_000)
    }
}
