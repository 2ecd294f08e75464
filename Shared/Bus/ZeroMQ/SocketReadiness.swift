internal import CZeroMQ
internal import PollLoop

/// The known readiness of a socket, which the poll loop uses beside its descriptor.
///
/// libzmq's descriptor of a socket (ZMQ_FD) becomes readable when there are new events. Any call on the socket
/// processes them and resets the descriptor (source: the libzmq manual, zmq_getsockopt, "ZMQ_FD"). So a wait may rely
/// on the descriptor only after a check that found no event; this class records whether there was one. A check costs
/// two system calls, which `zmq_poll` makes twice per wait on every socket.
///
/// Safety: used on the thread of the socket's loop only.
final class SocketReadiness: Readiness, @unchecked Sendable {
    private let socket: UnsafeMutableRawPointer

    init(_ socket: UnsafeMutableRawPointer) throws(ZeroMQError) {
        self.socket = socket
        var descriptor: Int32 = -1
        var size = MemoryLayout<Int32>.size
        guard zmq_getsockopt(socket, ZMQ_FD, &descriptor, &size) == 0 else { throw .last("read the descriptor of") }
        super.init(descriptor: descriptor, signalsRoom: false)
        invalidate()
    }

    /// A call on the socket may have processed events, or its descriptor signals new ones.
    override func invalidate() {
        isReadSettled = false
        isWriteSettled = false
    }

    /// A call has processed the events, and there was nothing to receive.
    func recordEmptyRead() {
        isReadSettled = true
        isWriteSettled = false
    }

    override func refresh() {
        var events: Int32 = 0
        var size = MemoryLayout<Int32>.size
        // A closed socket counts as ready: the next receive or send throws its error.
        if zmq_getsockopt(socket, ZMQ_EVENTS, &events, &size) != 0 { events = ZMQ_POLLIN | ZMQ_POLLOUT }
        isReadSettled = events & ZMQ_POLLIN == 0
        isWriteSettled = events & ZMQ_POLLOUT == 0
    }
}
