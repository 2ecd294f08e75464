internal import CZeroMQ
internal import PollLoop

/// A complete message: all its frames.
public typealias Message = [[UInt8]]

/// The result of a send that does not wait.
public enum SendOutcome: Sendable {
    case sent
    /// The pipe is full; nothing was sent.
    case wouldBlock
    /// A mandatory ROUTER has no such peer; nothing was sent.
    case unroutable
}

/// A ZeroMQ socket as an actor on its context's poll loop.
///
/// Bytes are copied once in each direction. `receive` and `send` try first, then wait. At most one task at a time may
/// wait in `receive`, and one in `send`. Use `withSocket`, which closes it: a context ends only after its sockets.
public actor Socket {
    public nonisolated let kind: SocketKind
    private nonisolated let loop: PollLoop
    private nonisolated let readID: UInt64
    private nonisolated let writeID: UInt64
    private var handle: SocketHandle?
    private var isMonitored = false
    /// Messages received since this socket last waited.
    private var streak = 0

    public nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    public init(_ kind: SocketKind, in context: Context, options: SocketOptions = SocketOptions()) throws(ZeroMQError) {
        self.kind = kind
        loop = context.loop
        readID = context.loop.makeID()
        writeID = context.loop.makeID()
        handle = try SocketHandle(kind, context: context.pointer, options: options)
    }

    /// Sets options for endpoints that are bound or connected from now on; options that are nil keep their value.
    public func set(_ options: SocketOptions) throws(ZeroMQError) {
        try options.apply(to: try pointer("set options of"))
        if options.curve?.isServer == true { handle?.isAuthenticating = true }
    }

    public func bind(_ endpoint: String) throws(ZeroMQError) {
        if zmq_bind(try pointer("bind"), endpoint) != 0 { throw .last("bind", endpoint: endpoint) }
    }

    public func connect(_ endpoint: String) throws(ZeroMQError) {
        if zmq_connect(try pointer("connect"), endpoint) != 0 { throw .last("connect to", endpoint: endpoint) }
    }

    /// The endpoint as resolved by libzmq, with the port chosen for a wildcard.
    public func lastEndpoint() throws(ZeroMQError) -> String {
        var size = 256
        var buffer = [CChar](repeating: 0, count: size)
        if zmq_getsockopt(try pointer("read the endpoint of"), ZMQ_LAST_ENDPOINT, &buffer, &size) != 0 {
            throw .last("read the endpoint of")
        }
        return buffer.withUnsafeBufferPointer { characters in
            characters.baseAddress.map { String(cString: $0) } ?? ""
        }
    }

    /// Takes the next message, or nil when none is available.
    public func receiveIfReady() throws(ZeroMQError) -> Message? {
        try handle?.receive()
    }

    /// Takes the available messages, at most `maxBatch`; does not wait.
    ///
    /// - Parameter messages: an empty array, whose room is used again.
    public func receiveReady(into messages: inout [Message]) throws(ZeroMQError) {
        while messages.count < Self.maxBatch, let message = try handle?.receive() { messages.append(message) }
    }

    /// The maximum number of messages taken at a time: enough that one wake-up serves several, and few enough that the
    /// next process can begin while this one handles the rest (with 64 requests in flight, a quarter more throughput
    /// than without a bound).
    public static let maxBatch = 32

    /// The available messages, with the connection of each; at most `maxBatch`.
    public func receiveReadyWithOrigin() throws(ZeroMQError) -> [(frames: Message, origin: MessageOrigin)] {
        var messages: [(frames: Message, origin: MessageOrigin)] = []
        while messages.count < Self.maxBatch, let message = try handle?.receiveWithOrigin() { messages.append(message) }
        return messages
    }

    /// The same for a ROUTER.
    public func receiveReady(into messages: inout [AddressedMessage]) throws(ZeroMQError) {
        while messages.count < Self.maxBatch, let message = try handle?.receiveAddressed() { messages.append(message) }
    }

    /// Waits until there is something to receive; false once the socket is closed or the task is cancelled.
    ///
    /// Receive first, then wait: a caller that drains the socket with `receiveReady` before each wait avoids most
    /// waits. Also true when the deadline has passed.
    public func waitUntilReadable(until deadline: ContinuousClock.Instant? = nil) async -> Bool {
        guard let socket = handle?.readiness else { return false }
        switch await loop.wait(id: readID, for: .readable(socket), until: { deadline }) {
        case .ready, .deadlinePassed: return true
        case .cancelled, .closed: return false
        }
    }

    /// Waits for the next message. Nil once the socket is closed or the task is cancelled.
    public func receive() async throws(ZeroMQError) -> Message? {
        repeat {
            if let message = try handle?.receive() {
                streak += 1
                // A flood on one socket must not starve the loop's other actors.
                if streak.isMultiple(of: 64) { await Task.yield() }
                return message
            }
            streak = 0
        } while await waitUntilReadable()
        return nil
    }

    /// Sends all frames as one message, or nothing; never waits.
    ///
    /// - Parameter address: the peer, for a ROUTER.
    public func sendIfReady(_ message: Message, to address: [UInt8]? = nil) throws(ZeroMQError) -> SendOutcome {
        try sendIfReady(frames: message.count, to: address) { sender in
            for frame in message { frame.withUnsafeBytes { sender.append($0) } }
        }
    }

    /// Sends a message whose frames are in no array, or nothing; never waits.
    ///
    /// - Parameter write: appends its `count` frames.
    public func sendIfReady(
        frames count: Int, to address: [UInt8]? = nil, _ write: (inout FrameSender) -> Void
    ) throws(ZeroMQError) -> SendOutcome {
        guard handle != nil else { throw ZeroMQError(code: .socketClosed, operation: "send") }
        return try handle?.send(count, to: address, write) ?? .wouldBlock
    }

    /// Sends all frames as one message; waits for room until the deadline, then returns `.wouldBlock`.
    public func send(_ message: Message, until deadline: ContinuousClock.Instant? = nil) async throws(ZeroMQError)
        -> SendOutcome
    {
        while true {
            let outcome = try sendIfReady(message)
            guard case .wouldBlock = outcome, let socket = handle?.readiness else { return outcome }
            switch await loop.wait(id: writeID, for: .writable(socket), until: { deadline }) {
            case .ready: continue
            case .deadlinePassed, .cancelled, .closed: return .wouldBlock
            }
        }
    }

    /// The connection events of this socket, from now on.
    public func monitor(in context: Context) async throws(ZeroMQError) -> SocketMonitor {
        try await monitor(SocketEvent.monitored, in: context)
    }

    /// The connection events of this bound socket, from now on.
    public func connectionMonitor(in context: Context) async throws(ZeroMQError) -> ConnectionMonitor {
        var options = SocketOptions()
        // No bound.
        options.receiveHighWaterMark = 0
        return ConnectionMonitor(try await monitor(ConnectionMonitor.monitored, options, in: context))
    }

    private func monitor(
        _ events: Int32, _ options: SocketOptions = SocketOptions(), in context: Context
    ) async throws(ZeroMQError) -> SocketMonitor {
        let endpoint = "inproc://monitor-\(loop.makeID())"
        if zmq_socket_monitor(try pointer("monitor"), endpoint, events) != 0 {
            throw .last("monitor", endpoint: endpoint)
        }
        isMonitored = true
        let reader = try Socket(.pair, in: context, options: options)
        try await reader.connect(endpoint)
        return SocketMonitor(watched: self, reader: reader)
    }

    /// Closes the socket and ends all waits on it. Closing twice does nothing.
    public func close() {
        stopMonitoring()
        handle?.readiness.close()
        loop.endWait(id: readID, as: .closed)
        loop.endWait(id: writeID, as: .closed)
        handle = nil
    }

    /// Ends the monitor while its reader is open: libzmq reports "monitor stopped" with a blocking send. Sent by
    /// libzmq's own thread after the reader is closed, that send would never return, and the context would never end.
    func stopMonitoring() {
        if isMonitored, let pointer = handle?.pointer { zmq_socket_monitor(pointer, nil, 0) }
        isMonitored = false
    }

    private func pointer(_ operation: String) throws(ZeroMQError) -> UnsafeMutableRawPointer {
        guard let pointer = handle?.pointer else { throw ZeroMQError(code: .socketClosed, operation: operation) }
        handle?.readiness.invalidate()
        return pointer
    }
}

/// Runs `body` with an open socket, and closes the socket even if `body` throws.
public func withSocket<Result: Sendable>(
    _ kind: SocketKind, in context: Context, options: SocketOptions = SocketOptions(),
    _ body: (Socket) async throws -> Result
) async throws -> Result {
    let socket = try Socket(kind, in: context, options: options)
    do {
        let result = try await body(socket)
        await socket.close()
        return result
    } catch {
        await socket.close()
        throw error
    }
}
