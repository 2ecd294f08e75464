internal import CZeroMQ

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#else
    internal import Darwin
#endif

/// A connection that a bound socket has accepted: its descriptor, which belongs to libzmq, and its peer.
///
/// The descriptor may belong to another connection by the time it is used, so each use first checks the socket's inode.
public struct AcceptedConnection: Sendable, Equatable {
    public let descriptor: Int32
    /// The peer's IP address; nil over a unix socket, or when the peer disconnected before it could be read.
    public internal(set) var address: String?
    /// The peer's process, over a unix socket.
    public let process: Int32?
    /// The kernel's number of the socket; nil when the socket was already closed.
    private let inode: UInt64?

    /// Reads the kernel's attributes of the socket. The caller ensures that the connection has not ended by then.
    init(descriptor: Int32) {
        self.descriptor = descriptor
        inode = Self.inode(of: descriptor)
        address = peerAddress(of: descriptor)
        let process = address == nil ? czmq_peer_process(descriptor) : 0
        self.process = process > 0 ? process : nil
    }

    /// Ends this connection and no other: libzmq reads the end of its stream.
    public func shutDown() {
        if isOpen { shutdown(descriptor, Int32(SHUT_RDWR)) }
    }

    /// Whether the kernel accepts more bytes for the peer now; true when the connection has ended.
    public var isWritable: Bool {
        guard isOpen else { return true }
        var item = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        return poll(&item, 1, 0) != 0
    }

    /// The bytes that libzmq has read from it; nil for a unix socket, and where the kernel does not count them.
    public var readBytes: Int64? {
        guard isOpen else { return nil }
        let count = czmq_read_bytes(descriptor)
        return count < 0 ? nil : count
    }

    private var isOpen: Bool { inode != nil && Self.inode(of: descriptor) == inode }

    private static func inode(of descriptor: Int32) -> UInt64? {
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFSOCK else { return nil }
        return UInt64(status.st_ino)
    }
}
