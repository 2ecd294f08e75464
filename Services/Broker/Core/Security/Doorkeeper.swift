import Envelope
import Logging
import ServiceKit
import ZeroMQ

/// Decides who comes in through the doors on the network, and reports each peer that does not, once.
///
/// It answers libzmq's questions (ZAP, RFC 27) for all CURVE sockets of its context, and hears from the sockets' monitors of
/// peers that did not come as far as a question. It opens before the doors and closes after them.
actor Doorkeeper {
    private nonisolated let context: Context
    private nonisolated let alarm: Alarm
    private let start = ContinuousClock.now
    private let questions: Socket
    private let clock: WallClock
    private let logger: Logger
    private let publish: @Sendable (Event) async -> Void
    private var clients: ClientKeys
    private var refusals = RefusalStateMachine()
    private var monitors: [HandshakeMonitor] = []

    nonisolated var unownedExecutor: UnownedSerialExecutor { context.loop.asUnownedSerialExecutor() }

    init(
        context: Context, clients: ClientKeys, clock: WallClock, logger: Logger,
        publish: @escaping @Sendable (Event) async -> Void
    ) throws {
        self.context = context
        alarm = Alarm(in: context)
        self.clients = clients
        self.clock = clock
        self.logger = logger
        self.publish = publish
        questions = try Socket(.router, in: context)
    }

    func open(watching sockets: [Socket]) async throws {
        try await questions.bind(ZAPRequest.endpoint)
        for socket in sockets { monitors.append(try await socket.handshakeMonitor(in: context)) }
    }

    /// Keeps the doors until the task is cancelled.
    func run() async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { while await self.alarm.wait() { await self.tick() } }
            group.addTask { try await self.answer() }
            for monitor in monitors { group.addTask { try await self.watch(monitor) } }
            while try await group.next() != nil {}
        }
    }

    func close() async {
        for monitor in monitors { await monitor.close() }
        await questions.close()
    }

    private var now: Duration { .now - start }

    private func answer() async throws {
        while let message = try await questions.receive() {
            let reply: ZAPReply
            do throws(ZAPReply) {
                reply = await decide(try ZAPRequest(message))
            } catch {
                reply = error
            }
            // Nobody waits any more when the pipe is gone.
            _ = try await questions.sendIfReady(reply.message(to: message[0]))
        }
    }

    private func decide(_ request: ZAPRequest) async -> ZAPReply {
        let isListed = clients.contains(request.key, at: .now) { [logger] error in
            logger.warning("a client's key is passed over", metadata: ["error": "\(error)"])
        }
        if isListed {
            refusals.admitted(at: request.address, at: now)
            return request.admitted()
        }
        await report(RefusedPeer(request))
        return request.refused()
    }

    private func watch(_ monitor: HandshakeMonitor) async throws {
        while let failure = try await monitor.next() { await report(RefusedPeer(failure)) }
    }

    private func report(_ peer: RefusedPeer) async {
        if let peer = refusals.refused(peer, at: now) { await publish(peer) }
        if let next = refusals.nextDeadline { alarm.ring(by: start + next) }
    }

    private func tick() async {
        for peer in refusals.ticked(at: now) { await publish(peer) }
        if let next = refusals.nextDeadline { alarm.ring(by: start + next) }
    }

    private func publish(_ peer: RefusedPeer) async {
        await publish(peer.event(at: clock.microseconds, source: Broker.instance))
    }
}
