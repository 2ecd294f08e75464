import NIOCore

/// When a client last took some of the bytes that are sent to it.
///
/// A pure value.
struct StallStateMachine: Sendable {
    /// Since when it takes none; nil while none wait.
    private(set) var stalledSince: ContinuousClock.Instant?
    private var sent = 0
    private var taken = 0

    mutating func send(_ bytes: Int) { sent += bytes }

    /// - Parameter waiting: the bytes that the kernel has not taken, since its buffer for this client is full.
    mutating func observe(waiting: Int, at now: ContinuousClock.Instant) {
        let taken = sent - waiting
        if waiting == 0 {
            stalledSince = nil
        } else if stalledSince == nil || taken > self.taken {
            stalledSince = now
        }
        self.taken = taken
    }
}

/// Closes a connection whose client has stopped to take the bytes that are sent to it. It is next to the socket.
///
/// A request without an answer yet, and a stream without news, have nothing to take.
final class StallHandler: ChannelOutboundHandler, RemovableChannelHandler {
    typealias OutboundIn = IOData
    typealias OutboundOut = IOData

    private static let longestCheck: Duration = .seconds(1)

    private let limit: Duration
    private let onChange: (any Channel, ContinuousClock.Instant?) -> Void
    private var machine = StallStateMachine()
    private var nextCheck: Scheduled<Void>?

    /// - Parameter onChange: is called with the start of a stall, and with nil at its end.
    init(limit: Duration, onChange: @escaping (any Channel, ContinuousClock.Instant?) -> Void) {
        self.limit = limit
        self.onChange = onChange
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        machine.send(unwrapOutboundIn(data).readableBytes)
        context.write(data, promise: promise)
    }

    func flush(context: ChannelHandlerContext) {
        context.flush()
        // What waits is asked for some time later, since asking costs more than a short write.
        if nextCheck == nil { scheduleCheck(context) }
    }

    func handlerRemoved(context: ChannelHandlerContext) { nextCheck?.cancel() }

    private func check(_ context: ChannelHandlerContext) {
        // A channel that cannot say it is none of a socket, or closed.
        guard let waiting = try? context.channel.syncOptions?.getOption(.bufferedWritableBytes) else { return }
        let (before, now) = (machine.stalledSince, ContinuousClock.now)
        machine.observe(waiting: waiting, at: now)
        if machine.stalledSince != before { onChange(context.channel, machine.stalledSince) }
        guard let start = machine.stalledSince else { return }
        if now - start >= limit { return context.close(promise: nil) }
        scheduleCheck(context)
    }

    private func scheduleCheck(_ context: ChannelHandlerContext) {
        let pause = min(Self.longestCheck, limit / 4)
        nextCheck = context.eventLoop.assumeIsolated().scheduleTask(
            in: .nanoseconds(Int64(pause / .nanoseconds(1)))
        ) {
            self.nextCheck = nil
            self.check(context)
        }
    }
}
