internal import CNATS
internal import PollLoop
internal import Synchronization

/// The socket of a connection, as libnats reports it to the owner of an event loop: from the loop, and from the thread
/// on which it connects again.
final class SocketWatch: Sendable {
    struct State {
        /// Nil while there is no connection.
        var descriptor: Int32?
        var wantsRead = false
        var wantsWrite = false
        /// Counts the changes.
        var version = 0
        /// libnats holds it from attaching to detaching, which may come after the end of the connection.
        var isHeld = false
    }

    let readID: UInt64
    let writeID: UInt64
    private let loop: PollLoop
    private let mutex = Mutex(State())

    init(on loop: PollLoop) {
        self.loop = loop
        readID = loop.makeID()
        writeID = loop.makeID()
    }

    var state: State { mutex.withLock { $0 } }

    private func change(_ body: (inout State) -> Void) {
        mutex.withLock { state in
            body(&state)
            state.version += 1
        }
        loop.endWait(id: readID, as: .closed)
        loop.endWait(id: writeID, as: .closed)
    }

    private func hold() {
        let isFirst = mutex.withLock { state in
            defer { state.isHeld = true }
            return !state.isHeld
        }
        if isFirst { _ = Unmanaged.passRetained(self) }
    }

    private func release() {
        let isHeld = mutex.withLock { state in
            defer { state.isHeld = false }
            return state.isHeld
        }
        if isHeld { Unmanaged.passUnretained(self).release() }
    }

    /// Waits until the socket is ready for what libnats wants; false when the wishes have changed meanwhile.
    func wait(forRoom isWriter: Bool) async -> Bool {
        let seen = state
        let isWanted = isWriter ? seen.wantsWrite : seen.wantsRead
        var interest = WaitInterest.time
        if isWanted, let descriptor = seen.descriptor {
            let readiness = Readiness(descriptor: descriptor)
            interest = isWriter ? .writable(readiness) : .readable(readiness)
        }
        let outcome = await loop.wait(id: isWriter ? writeID : readID, for: interest) { [self] in
            // A change before the wait was registered has found none to end.
            state.version == seen.version ? nil : .now
        }
        return outcome == .ready
    }

    /// Sets the functions by which libnats reports.
    func install(in options: OpaquePointer) throws(NATSError) {
        let status = nats.natsOptions_SetEventLoop(
            options, Unmanaged.passUnretained(self).toOpaque(),
            { userData, loop, _, socket in
                guard let userData, let loop else { return NATS_INVALID_ARG }
                userData.pointee = loop
                let watch = SocketWatch.of(loop)
                watch.hold()
                watch.change {
                    $0.descriptor = socket
                    ($0.wantsRead, $0.wantsWrite) = (true, false)
                }
                return NATS_OK
            },
            { userData, isWanted in
                guard let userData else { return NATS_INVALID_ARG }
                SocketWatch.of(userData).change { $0.wantsRead = isWanted }
                return NATS_OK
            },
            { userData, isWanted in
                guard let userData else { return NATS_INVALID_ARG }
                SocketWatch.of(userData).change { $0.wantsWrite = isWanted }
                return NATS_OK
            },
            { userData in
                guard let userData else { return NATS_INVALID_ARG }
                let watch = SocketWatch.of(userData)
                watch.change { $0.descriptor = nil }
                watch.release()
                return NATS_OK
            })
        try NATSError.check(status, "use an event loop")
    }

    /// The connection keeps its watch for as long as libnats may call it.
    private static func of(_ pointer: UnsafeMutableRawPointer) -> SocketWatch {
        Unmanaged<SocketWatch>.fromOpaque(pointer).takeUnretainedValue()
    }
}
