import Contracts
import Envelope
import Localization
import Logging
import Majordomo
import MajordomoBus
import ProcessKit
import ServiceKit
import TestSupport
import Testing

@testable import MessageBus
@testable import ServiceKit

/// The answers of a worker without a broker; the requests are created here.
@Suite(.timeLimit(.minutes(1))) struct WorkerServiceTests {
    private static let failure = Failure(.unavailable, LocalizedText(ko: "없음", en: "none"), isRetryable: false)

    private func withService(
        handler: @escaping WorkerService.Handler = { _ in ServiceAnswer() },
        _ body: (WorkerService) async throws -> Void
    ) async throws {
        let folder = "ipc:///tmp/nobody-\(UInt64.random(in: 0 ... .max))"
        let endpoints = BrokerEndpoints(requests: "\(folder)/a", eventsIn: "\(folder)/b", events: "\(folder)/c")
        let transport = MajordomoConfiguration(endpoints: endpoints)
        try await withMessageBus(BusConfiguration(transport, instance: "echo/1")) { bus in
            try await body(
                WorkerService(
                    BusWorkerOptions(service: "echo", capacity: 1), bus: bus, clock: WallClock { 10 },
                    logger: Logger(label: "test"), handler: handler))
        }
    }

    private func request(
        _ kind: String = "test.ask", deadline: ContinuousClock.Instant = .now + .seconds(60), attempts: Int = 1,
        payload: [UInt8] = []
    ) -> IncomingRequest {
        let header = Header(
            query: HexadecimalID(rawValue: 0xa1), kind: kind, sender: "client/1",
            traceparent: TraceParent(query: 0xa1, call: 0xb2))
        return IncomingRequest(
            envelope: Envelope(header: header, payload: payload), trace: Trace(query: 0xa1), deadline: deadline,
            attempts: attempts, role: 3, id: RequestID(query: 0xa1, call: 0xb2))
    }

    @Test func `a ping is answered with the sender only`() async throws {
        try await withService { service in
            let reply = try await service.answer(request(ServiceRequest.pingKind))
            #expect((reply.header.status, reply.header.sender) == (.ok, "echo/1"))
            #expect(reply.payload.isEmpty && reply.attachments.isEmpty)
        }
    }

    @Test func `info contains identity, version and start time`() async throws {
        try await withService { service in
            let reply = try await service.answer(request(ServiceRequest.infoKind))
            let info = try JSONBytes.decode(ServiceInfo.self, from: reply.payload)
            #expect((info.name, info.id, info.version) == ("echo", "echo/1", ProductVersion.current))
            #expect(info.started == "1970-01-01T00:00:10.000000Z" && info.uptimeSeconds >= 0)
        }
    }

    @Test func `stats count requests, but not stats requests`() async throws {
        let handler: WorkerService.Handler = { request in
            guard request.envelope.header.kind == "test.ask" else { throw Self.failure }
            return ServiceAnswer()
        }
        try await withService(handler: handler) { service in
            _ = try await service.answer(request())
            _ = try await service.answer(request(attempts: 2))
            _ = try await service.answer(request("test.refuse"))
            for kind in [ServiceRequest.pingKind, ServiceRequest.infoKind, ServiceRequest.statsKind] {
                _ = try await service.answer(request(kind))
            }
            let reply = try await service.answer(
                request(ServiceRequest.statsKind), busFailures: [.unsupportedVersion: 2])
            let stats = try JSONBytes.decode(ServiceStats.self, from: reply.payload)
            #expect((stats.requests, stats.answered, stats.inFlight, stats.redeliveries) == (3, 3, 0, 1))
            #expect(stats.errors == ["unavailable": 1, "unsupported_version": 2])
            #expect(
                stats.lastError?.request == "00000000000000a100000000000000b2"
                    && stats.lastError?.at == "1970-01-01T00:00:10.000000Z")
            #expect(stats.latency.count == 3)
        }
    }

    @Test func `a stale answer is not counted as an error`() async throws {
        try await withService(handler: { _ in ServiceAnswer(status: .stale, failure: Self.failure) }) { service in
            let reply = try await service.answer(request())
            #expect(reply.header.failure == Self.failure)
            let stats = await service.stats()
            #expect(stats.errors.isEmpty && stats.answered == 1)
        }
    }

    @Test func `a request that arrives after its deadline is not processed`() async throws {
        try await withService(handler: { _ in throw Self.failure }) { service in
            let reply = try await service.answer(request(deadline: .now - .milliseconds(1)))
            #expect((reply.header.status, reply.header.failure?.code) == (.failed, .timeout))
            let stats = await service.stats()
            #expect((stats.requests, stats.answered, stats.expired) == (1, 0, 1))
            #expect(stats.errors.isEmpty)
        }
    }

    @Test func `a payload that violates its contract is refused with the field`() async throws {
        let handler: WorkerService.Handler = { request in
            try .json(JSONBytes.decode(ServiceInfo.self, from: request.envelope.payload))
        }
        try await withService(handler: handler) { service in
            for (payload, word) in [(#"{"name":"a"}"#, "field id"), ("{", "contract"), ("", "contract")] {
                let reply = try await service.answer(request(payload: Array(payload.utf8)))
                #expect(reply.header.failure?.code == .malformed)
                #expect(reply.header.failure?.message.en.contains(word) == true)
                #expect(reply.header.failure?.message.en.contains("CodingKeys") == false)
            }
        }
    }

    @Test func `a returned request is neither answered nor an error`() async throws {
        try await withService(handler: { _ in throw RequestReturned() }) { service in
            await #expect(throws: RequestReturned.self) { try await service.answer(request()) }
            let stats = await service.stats()
            #expect((stats.requests, stats.answered, stats.inFlight) == (1, 0, 0))
            #expect(stats.errors.isEmpty)
        }
    }

    @Test func `a request in progress is in flight`() async throws {
        let (release, held) = AsyncStream.makeStream(of: Void.self)
        let (began, hasBegun) = AsyncStream.makeStream(of: Void.self)
        let handler: WorkerService.Handler = { _ in
            hasBegun.yield()
            for await _ in release {}
            return ServiceAnswer()
        }
        try await withService(handler: handler) { service in
            async let reply = service.answer(request())
            var begun = began.makeAsyncIterator()
            await begun.next()
            #expect(await service.stats().inFlight == 1)
            held.finish()
            let answered = try await reply
            #expect(answered.header.status == .ok)
            #expect(await service.stats().inFlight == 0)
        }
    }
}
