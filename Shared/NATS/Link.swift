internal import CNATS
internal import Dispatch
internal import PollLoop

/// One connection of libnats, from connecting to its loss.
///
/// libnats does not connect again by itself: in event-loop mode it would go on parsing in the middle of the message that
/// the loss cut off, and it would hold its lock, for which the loop would wait, while it connects.
final class Link: Sendable {
    let watch: SocketWatch
    let reports: LinkReports
    /// Safety: libnats locks its connections; it is destroyed once, after the last use.
    nonisolated(unsafe) let pointer: OpaquePointer

    private init(_ pointer: OpaquePointer, _ watch: SocketWatch, _ reports: LinkReports) {
        self.pointer = pointer
        self.watch = watch
        self.reports = reports
    }

    /// Connects, on a thread of its own.
    ///
    /// - Parameter onDenial: called on another thread.
    /// - Throws: `NATSError` when no server admits this client in time.
    static func connect(
        _ options: NATSOptions, on loop: PollLoop, onDenial: @escaping @Sendable (Denial) -> Void
    ) async throws(NATSError) -> Link {
        let (watch, reports) = (SocketWatch(on: loop), LinkReports(onDenial: onDenial))
        let made: Result<UncheckedPointer, NATSError> = await runBlocking {
            Result { () throws(NATSError) in
                try options.withOptions { options throws(NATSError) in
                    try watch.install(in: options)
                    try reports.install(in: options)
                    var made: OpaquePointer?
                    try NATSError.check(nats.natsConnection_Connect(&made, options), "connect")
                    guard let made else { throw NATSError(code: .noServer, operation: "connect") }
                    return UncheckedPointer(pointer: made)
                }
            }
        }
        // A failed attempt makes no call of libnats after its return.
        return Link(try made.get().pointer, watch, reports)
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

/// Safety: libnats locks what it points to.
private struct UncheckedPointer: @unchecked Sendable {
    let pointer: OpaquePointer
}

private func runBlocking<Result: Sendable>(_ work: @escaping @Sendable () -> Result) async -> Result {
    await withCheckedContinuation { continuation in
        DispatchQueue.global().async { continuation.resume(returning: work()) }
    }
}
