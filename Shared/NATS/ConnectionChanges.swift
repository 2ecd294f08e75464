internal import CNATS
internal import PollLoop
internal import Synchronization

/// The changes of a connection, which libnats reports on threads of its own.
final class ConnectionChanges: Sendable {
    let stream: AsyncStream<NATSConnection.Change>
    private let continuation: AsyncStream<NATSConnection.Change>.Continuation
    private let end = Completion()

    init() {
        (stream, continuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(16))
    }

    func record(_ change: NATSConnection.Change) {
        continuation.yield(change)
        guard change == .closed else { return }
        continuation.finish()
        end.complete()
    }

    /// Returns when libnats has made its last call.
    func closed() async {
        await end.wait()
    }

    func install(in options: OpaquePointer) throws(NATSError) {
        let closure = Unmanaged.passUnretained(self).toOpaque()
        try NATSError.check(
            natsOptions_SetRetryOnFailedConnect(options, true, { _, closure in report(.connected, closure) }, closure),
            "wait for a server")
        try NATSError.check(
            natsOptions_SetReconnectedCB(options, { _, closure in report(.connected, closure) }, closure),
            "watch the connection")
        try NATSError.check(
            natsOptions_SetDisconnectedCB(options, { _, closure in report(.disconnected, closure) }, closure),
            "watch the connection")
        try NATSError.check(
            natsOptions_SetClosedCB(options, { _, closure in report(.closed, closure) }, closure),
            "watch the connection")
    }
}

/// The connection keeps its monitor for as long as libnats may call it.
private func report(_ change: NATSConnection.Change, _ closure: UnsafeMutableRawPointer?) {
    guard let closure else { return }
    Unmanaged<ConnectionChanges>.fromOpaque(closure).takeUnretainedValue().record(change)
}
