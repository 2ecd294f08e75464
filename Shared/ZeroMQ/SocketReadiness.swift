internal import CZeroMQ

/// What the poll loop must know of a socket beside its descriptor.
///
/// libzmq's descriptor of a socket (ZMQ_FD) becomes readable when there is news, and stops being so when any call on the
/// socket has looked at them, whether or not somebody was told (source: the libzmq manual, zmq_getsockopt, "ZMQ_FD").
/// So a wait may rely on the descriptor only after a look that found nothing; this remembers whether there was one. The
/// look costs two system calls, which `zmq_poll` spends twice a wait on every socket.
///
/// Guard: touched on the thread of the socket's loop only.
final class SocketReadiness: @unchecked Sendable {
    let descriptor: Int32
    private let socket: UnsafeMutableRawPointer
    /// The last look found nothing to receive.
    private(set) var isReadSettled = false
    /// The last look found no room to send.
    private(set) var isWriteSettled = false
    /// Neither the socket nor its descriptor may be used any more.
    private(set) var isClosed = false

    init(_ socket: UnsafeMutableRawPointer) throws(ZeroMQError) {
        self.socket = socket
        var descriptor: Int32 = -1
        var size = MemoryLayout<Int32>.size
        guard zmq_getsockopt(socket, ZMQ_FD, &descriptor, &size) == 0 else { throw .last("read the descriptor of") }
        self.descriptor = descriptor
    }

    /// A call on the socket may have looked at the news, or its descriptor tells of some.
    func disturb() {
        isReadSettled = false
        isWriteSettled = false
    }

    /// A call has looked at the news, and there was nothing to receive.
    func foundNothing() {
        isReadSettled = true
        isWriteSettled = false
    }

    func close() {
        isClosed = true
    }

    /// Looks at the news.
    func look() {
        var events: Int32 = 0
        var size = MemoryLayout<Int32>.size
        // A socket that is gone tells so to whoever receives from it or sends.
        if zmq_getsockopt(socket, ZMQ_EVENTS, &events, &size) != 0 { events = ZMQ_POLLIN | ZMQ_POLLOUT }
        isReadSettled = events & ZMQ_POLLIN == 0
        isWriteSettled = events & ZMQ_POLLOUT == 0
    }
}
