import Envelope
import Logging
import PollLoop
import ProcessKit
import ZeroMQ

/// Admits peers at the network endpoints by their keys, and reports each refused peer once.
///
/// It answers libzmq's ZAP requests (RFC 27) for all CURVE sockets of its context, receives from the broker the
/// handshakes that failed before such a request, and checks whether the admitted keys are still listed. It opens before
/// the network endpoints and closes after them.
actor ZAPAuthenticator {
    private nonisolated let context: Context
    private nonisolated let alarm: Alarm
    private let start = ContinuousClock.now
    private let questions: Socket
    private let clock: WallClock
    private let logger: Logger
    private let publish: @Sendable (Event) async -> Void
    private let onRemoval: @Sendable ([CurvePublicKey]) async -> Void
    private var peers: PeerKeys
    private var refusals = RefusalStateMachine()
    private var nextKeyCheck = BrokerTiming.keyCheckInterval

    nonisolated var unownedExecutor: UnownedSerialExecutor { context.loop.asUnownedSerialExecutor() }

    /// - Parameter onRemoval: called with the admitted keys that are no longer listed.
    init(
        context: Context, peers: PeerKeys, clock: WallClock, logger: Logger,
        publish: @escaping @Sendable (Event) async -> Void,
        onRemoval: @escaping @Sendable ([CurvePublicKey]) async -> Void = { _ in }
    ) throws {
        self.context = context
        alarm = Alarm(on: context.loop)
        self.peers = peers
        self.clock = clock
        self.logger = logger
        self.publish = publish
        self.onRemoval = onRemoval
        questions = try Socket(.router, in: context)
    }

    func open() async throws {
        try await questions.bind(ZAPRequest.endpoint)
        setAlarm()
    }

    /// Answers requests and checks keys until the task is cancelled.
    func run() async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { while await self.alarm.wait() { await self.tick() } }
            group.addTask { try await self.answer() }
            while try await group.next() != nil {}
        }
    }

    func close() async {
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
            // A closed pipe is no error: libzmq no longer waits for this reply.
            _ = try await questions.sendIfReady(reply.message(to: message[0]))
        }
    }

    private func decide(_ request: ZAPRequest) async -> ZAPReply {
        if let principal = peers.admit(request.key, at: .now, onInvalidFile: logInvalidFile) {
            refusals.admitted(at: request.address, at: now)
            return request.admitted(as: principal.userID)
        }
        await report(RefusedPeer(request))
        return request.refused()
    }

    private func logInvalidFile(_ error: StartupError) {
        logger.warning("a client's key is passed over", metadata: ["error": "\(error)"])
    }

    /// Reports a failed handshake.
    func report(_ failure: HandshakeFailure) async {
        await report(RefusedPeer(failure))
    }

    private func report(_ peer: RefusedPeer) async {
        if let peer = refusals.refused(peer, at: now) { await publish(peer) }
        setAlarm()
    }

    private func tick() async {
        for peer in refusals.ticked(at: now) { await publish(peer) }
        if nextKeyCheck <= now {
            nextKeyCheck = now + BrokerTiming.keyCheckInterval
            let removed = peers.takeRemoved(at: .now, onInvalidFile: logInvalidFile)
            if !removed.isEmpty { await onRemoval(removed) }
        }
        setAlarm()
    }

    private func setAlarm() {
        alarm.ring(by: start + min(nextKeyCheck, refusals.nextDeadline ?? nextKeyCheck))
    }

    private func publish(_ peer: RefusedPeer) async {
        await publish(peer.event(at: clock.microseconds, source: Broker.instance))
    }
}
