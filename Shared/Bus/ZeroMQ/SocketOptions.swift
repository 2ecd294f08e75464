internal import CZeroMQ
internal import PollLoop

/// Options of a socket, set before it is bound or connected; nil keeps libzmq's default.
public struct SocketOptions: Sendable {
    /// How long unsent messages are kept after `close()`. Always set: with libzmq's default, a context might never end.
    public var linger: Duration = .zero
    /// Messages that one peer's outgoing pipe holds before a send would block.
    public var sendHighWaterMark: Int32?
    /// Messages that one peer's incoming pipe holds before the peer gets back-pressure.
    public var receiveHighWaterMark: Int32?
    /// Largest frame, in bytes, that a peer may send; libzmq drops the connection of a peer that sends a larger one.
    public var maxMessageSize: Int64?
    /// The first pause between attempts to reconnect.
    public var reconnectInterval: Duration?
    /// ROUTER: `send` reports an unknown peer instead of dropping the message silently.
    public var isRouterMandatory = false
    /// XPUB: every subscription and its end is received, not only the first and the last of a prefix.
    public var isVerbose = false
    /// SUB: the prefixes of the first frame to receive; an empty prefix matches every message.
    public var subscriptions: [[UInt8]] = []

    /// The time for the handshake of a new connection, after which it is closed.
    public var handshakeInterval: Duration?
    /// The interval of probes on a silent connection, and the time without an answer after which it is closed.
    public var heartbeat: (interval: Duration, timeout: Duration)?
    /// Whether an address may be an IPv6 address.
    public var isIPv6 = false
    /// Encryption and authentication; nil is clear text.
    public var curve: CurveRole?

    public init() {}

    func apply(to socket: UnsafeMutableRawPointer) throws(ZeroMQError) {
        try setOption(ZMQ_LINGER, linger.wholeMilliseconds, on: socket)
        if let sendHighWaterMark { try setOption(ZMQ_SNDHWM, sendHighWaterMark, on: socket) }
        if let receiveHighWaterMark { try setOption(ZMQ_RCVHWM, receiveHighWaterMark, on: socket) }
        if let maxMessageSize { try setOption(ZMQ_MAXMSGSIZE, maxMessageSize, on: socket) }
        if let reconnectInterval { try setOption(ZMQ_RECONNECT_IVL, reconnectInterval.wholeMilliseconds, on: socket) }
        if isRouterMandatory { try setOption(ZMQ_ROUTER_MANDATORY, Int32(1), on: socket) }
        if isVerbose { try setOption(ZMQ_XPUB_VERBOSER, Int32(1), on: socket) }
        if let handshakeInterval {
            try setOption(ZMQ_HANDSHAKE_IVL, handshakeInterval.wholeMilliseconds, on: socket)
        }
        if let heartbeat {
            try setOption(ZMQ_HEARTBEAT_IVL, heartbeat.interval.wholeMilliseconds, on: socket)
            try setOption(ZMQ_HEARTBEAT_TIMEOUT, heartbeat.timeout.wholeMilliseconds, on: socket)
        }
        if isIPv6 { try setOption(ZMQ_IPV6, Int32(1), on: socket) }
        if let curve { try curve.apply(to: socket) }
        for prefix in subscriptions { try setOption(ZMQ_SUBSCRIBE, prefix, on: socket) }
    }
}

func setOption<Value: FixedWidthInteger>(
    _ option: Int32, _ value: Value, on socket: UnsafeMutableRawPointer
) throws(ZeroMQError) {
    let status = withUnsafeBytes(of: value) { zmq_setsockopt(socket, option, $0.baseAddress, $0.count) }
    if status != 0 { throw .last("set option \(option) to \(value)") }
}

/// The error does not contain the bytes: they may be a secret key.
func setOption(_ option: Int32, _ bytes: [UInt8], on socket: UnsafeMutableRawPointer) throws(ZeroMQError) {
    let status = bytes.withUnsafeBytes { zmq_setsockopt(socket, option, $0.baseAddress, $0.count) }
    if status != 0 { throw .last("set option \(option)") }
}

extension SocketOptions {
    /// Adds the options for an endpoint on a network; an ipc or inproc endpoint needs none.
    ///
    /// Between machines, a silent connection may stay open, or a connection may be lost without notice. libzmq does not
    /// bound the number of connections; the process's limit of open files does. Further bounds are the high-water
    /// marks, `maxMessageSize` and libzmq's backlog of 100 connections that wait to be accepted.
    public mutating func adapt(to endpoint: String) {
        guard endpoint.hasPrefix("tcp://") else { return }
        // With libzmq's default of 30 s, a silent unauthenticated peer would keep its descriptor three times as long.
        handshakeInterval = .seconds(10)
        // A PUSH or SUB may send nothing for hours; only a probe detects that its machine is unavailable.
        heartbeat = (interval: .seconds(5), timeout: .seconds(15))
        isIPv6 = endpoint.hasPrefix("tcp://[")
    }
}
