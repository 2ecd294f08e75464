import Envelope
import MessageBus
import Synchronization
import TestSupport
import Testing

@testable import Assembly

@Suite(.timeLimit(.minutes(1))) struct SharedRequestsTests {
    /// A test double of the bus: counts messages, and replies when it is opened.
    private final class Bus: Sendable {
        let sent = Atomic(0)
        let cancelled = Atomic(0)
        private let gate: AsyncStream<Void>
        private let opener: AsyncStream<Void>.Continuation

        init() { (gate, opener) = AsyncStream.makeStream() }

        func open() { opener.finish() }

        func send(until deadline: ContinuousClock.Instant) async throws -> BusReply {
            sent.wrappingAdd(1, ordering: .relaxed)
            do {
                try await withThrowingTaskGroup(of: Void.self) { group in
                    group.addTask { for await _ in self.gate {} }
                    group.addTask {
                        try await Task.sleep(until: deadline, clock: .continuous)
                        throw Failure.deadlinePassed(service: "echo")
                    }
                    try await group.next()
                    group.cancelAll()
                }
                try Task.checkCancellation()
            } catch is CancellationError {
                cancelled.wrappingAdd(1, ordering: .relaxed)
                throw CancellationError()
            }
            let header = Header(
                query: HexadecimalID(rawValue: 1), kind: "test.ask", sender: "echo/1",
                traceparent: TraceParent(query: 1, call: 1), status: .ok)
            return BusReply(
                envelope: Envelope(header: header, payload: [1]), attempts: 1, queuedMicroseconds: 0, took: .zero)
        }
    }

    private func request(_ payload: [UInt8] = [7]) -> BusRequest {
        BusRequest(service: "echo", kind: "test.ask", trace: .root(), payload: payload)
    }

    private func ask(
        _ shared: SharedRequests, _ bus: Bus, _ payload: [UInt8] = [7], within time: Duration = .seconds(30)
    ) async throws -> Bool {
        let deadline = ContinuousClock.now + time
        return try await shared.reply(to: request(payload), deadline: deadline) { try await bus.send(until: deadline) }
            .isShared
    }

    /// Waits until this number of callers wait for a reply.
    private func waitForCallers(_ shared: SharedRequests, _ count: Int) async {
        while await shared.waiting < count { await Task.yield() }
    }

    @Test func `a thousand callers of one request send one message`() async throws {
        let (shared, bus) = (SharedRequests(), Bus())
        let joined = try await withThrowingTaskGroup(of: Bool.self) { group in
            for _ in 0..<1_000 { group.addTask { try await ask(shared, bus) } }
            await waitForCallers(shared, 1_000)
            bus.open()
            return try await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
        }
        #expect(joined == 999 && bus.sent.load(ordering: .relaxed) == 1)
        #expect(await shared.waiting == 0)
    }

    @Test func `different requests are different messages`() async throws {
        let (shared, bus) = (SharedRequests(), Bus())
        bus.open()
        for payload in [[1], [2]] as [[UInt8]] { #expect(try await !ask(shared, bus, payload)) }
        #expect(bus.sent.load(ordering: .relaxed) == 2)
    }

    @Test func `a cancelled caller does not cancel the others; the last one cancels the message`() async throws {
        let (shared, bus) = (SharedRequests(), Bus())
        let first = Task { try await ask(shared, bus) }
        await waitForCallers(shared, 1)
        let second = Task { try await ask(shared, bus) }
        await waitForCallers(shared, 2)
        first.cancel()
        await #expect(throws: CancellationError.self) { try await first.value }
        #expect(bus.cancelled.load(ordering: .relaxed) == 0)
        bus.open()
        #expect(try await second.value)

        let alone = (SharedRequests(), Bus())
        let only = Task { try await ask(alone.0, alone.1) }
        await waitForCallers(alone.0, 1)
        only.cancel()
        await #expect(throws: CancellationError.self) { try await only.value }
        // The message is cancelled before the caller returns.
        #expect(alone.1.cancelled.load(ordering: .relaxed) == 1)
    }

    @Test func `each caller keeps its own deadline, earlier or later than that of the message`() async throws {
        let (shared, bus) = (SharedRequests(), Bus())
        let first = Task { try await ask(shared, bus, within: .seconds(1)) }
        await waitForCallers(shared, 1)
        let early = Task { try await ask(shared, bus, within: .milliseconds(300)) }
        let late = Task { try await ask(shared, bus, within: .seconds(30)) }
        for caller in [early, first] {
            let failure = await #expect(throws: Failure.self) { try await caller.value }
            #expect(failure?.code == .timeout)
        }
        bus.open()
        // The message of the first caller has ended; the late one has sent its own.
        _ = try await late.value
        #expect(bus.sent.load(ordering: .relaxed) == 2)
    }
}
