internal import CNATS
internal import Dispatch
internal import PollLoop

/// One connection of libnats, from connecting to its loss.
///
/// libnats does not connect again by itself: in event-loop mode it would go on parsing in the middle of the message that
/// the loss cut off, and it would hold its lock, for which the loop would wait, while it connects.
final class Link: Sendable {
    let watch: SocketWatch
    /// Complete after the last call of libnats for this connection.
    let end = Completion()
    /// Safety: libnats locks its connections; it is destroyed once, after the last use.
    nonisolated(unsafe) let pointer: OpaquePointer

    private init(_ pointer: OpaquePointer, _ watch: SocketWatch) {
        self.pointer = pointer
        self.watch = watch
    }

    /// Connects, on a thread of its own; nil when no server answers in time.
    static func connect(_ options: NATSOptions, on loop: PollLoop) async -> Link? {
        let (watch, ending) = (SocketWatch(on: loop), LinkEnding())
        let made: UncheckedPointer? = await runBlocking {
            try? options.withOptions { options throws(NATSError) in
                try watch.install(in: options)
                try ending.install(in: options)
                var made: OpaquePointer?
                guard natsConnection_Connect(&made, options) == NATS_OK else { return nil }
                return made.map(UncheckedPointer.init)
            }
        }
        guard let made else { return nil }
        let link = Link(made.pointer, watch)
        ending.forward(to: link.end)
        return link
    }

    /// Sends what is buffered, and ends the connection; it waits for the threads of libnats.
    func close() async {
        let pointer = UncheckedPointer(pointer: pointer)
        await runBlocking { natsConnection_Close(pointer.pointer) }
    }

    /// Frees the connection, after its end.
    func destroy() async {
        let pointer = UncheckedPointer(pointer: pointer)
        await runBlocking { natsConnection_Destroy(pointer.pointer) }
    }
}

/// The report of libnats that a connection has ended, which may come before its `Link` exists.
private final class LinkEnding: Sendable {
    private let ended = Completion()

    /// It lives as long as the process has the connection: libnats gives no sign after its last call.
    func install(in options: OpaquePointer) throws(NATSError) {
        let status = natsOptions_SetClosedCB(
            options,
            { _, closure in
                guard let closure else { return }
                Unmanaged<LinkEnding>.fromOpaque(closure).takeRetainedValue().ended.complete()
            }, Unmanaged.passRetained(self).toOpaque())
        try NATSError.check(status, "watch the connection")
    }

    func forward(to end: Completion) {
        Task { [ended] in
            await ended.wait()
            end.complete()
        }
    }
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
