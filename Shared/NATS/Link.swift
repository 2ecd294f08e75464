internal import CNATS
internal import Dispatch
internal import PollLoop

/// One connection of libnats, from connecting to its loss.
///
/// libnats does not connect again by itself: in event-loop mode it would go on parsing in the middle of the message that
/// the loss cut off, and it would hold its lock, for which the loop would wait, while it connects.
final class Link: Sendable {
    let watch: SocketWatch
    /// Complete when the connection has ended. The connection uses it until then.
    let end: Completion
    /// Safety: libnats locks its connections; it is destroyed once, after the last use.
    nonisolated(unsafe) let pointer: OpaquePointer

    private init(_ pointer: OpaquePointer, _ watch: SocketWatch, _ end: Completion) {
        self.pointer = pointer
        self.watch = watch
        self.end = end
    }

    /// Connects, on a thread of its own; nil when no server answers in time.
    static func connect(_ options: NATSOptions, on loop: PollLoop) async -> Link? {
        let (watch, end) = (SocketWatch(on: loop), Completion())
        let made: UncheckedPointer? = await runBlocking {
            // The options were checked before; another failure is that of this attempt, and the next one follows.
            try? options.withOptions { options throws(NATSError) in
                try watch.install(in: options)
                try NATSError.check(
                    nats.natsOptions_SetClosedCB(options, complete, Unmanaged.passUnretained(end).toOpaque()),
                    "watch the connection")
                var made: OpaquePointer?
                guard nats.natsConnection_Connect(&made, options) == NATS_OK else { return nil }
                return made.map(UncheckedPointer.init)
            }
        }
        // A failed attempt makes no call of libnats after its return.
        return made.map { Link($0.pointer, watch, end) }
    }

    /// Sends what is buffered, and ends the connection; it waits for the threads of libnats.
    func close() async {
        await runBlocking { [self] in
            nats.natsConnection_Close(pointer)
            // Destroying it at the same time would free what the call uses.
            withExtendedLifetime(self) {}
        }
    }

    deinit {
        let pointer = UncheckedPointer(pointer: pointer)
        DispatchQueue.global().async { nats.natsConnection_Destroy(pointer.pointer) }
    }
}

private func complete(_: OpaquePointer?, _ end: UnsafeMutableRawPointer?) {
    guard let end else { return }
    Unmanaged<Completion>.fromOpaque(end).takeUnretainedValue().complete()
}

/// Safety: libnats locks what it points to.
private struct UncheckedPointer: @unchecked Sendable {
    let pointer: OpaquePointer
}

private func runBlocking<Result: Sendable>(_ work: @escaping @Sendable () -> Result) async -> Result {
    await withCheckedContinuation { continuation in
        DispatchQueue.global().async { continuation.resume(returning: work()) }
    }
}
