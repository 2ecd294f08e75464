import Foundation
import Testing

/// A tcp connection without any ZeroMQ on this side.
enum RawConnection {
    /// Connects, sends the bytes, says that no more come, and reads to the end.
    static func exchange(_ bytes: [UInt8], with endpoint: String) throws -> [UInt8] {
        try withConnection(to: endpoint) { descriptor in
            _ = send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL))
            shutdown(descriptor, Int32(SHUT_WR))
            return readAll(from: descriptor)
        }
    }

    /// Connects, says nothing, listens for so long, and hangs up by a reset, which leaves nothing behind.
    static func hangUp(on endpoint: String, afterMilliseconds patience: Int) throws -> [UInt8] {
        try withConnection(to: endpoint) { descriptor in
            let limit = timeval(tv_sec: patience / 1000, tv_usec: .init(patience % 1000 * 1000))
            set(SO_RCVTIMEO, to: limit, on: descriptor)
            set(SO_LINGER, to: linger(l_onoff: 1, l_linger: 0), on: descriptor)
            return readAll(from: descriptor)
        }
    }

    private static func withConnection<Result>(
        to endpoint: String, _ body: (_ descriptor: Int32) throws -> Result
    ) throws -> Result {
        let port = try #require(endpoint.split(separator: ":").last.flatMap { UInt16($0) })
        let descriptor = socket(AF_INET, streamKind, 0)
        defer { close(descriptor) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        let status = withUnsafePointer(to: address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        try #require(status == 0, "no connection to \(endpoint): errno \(errno)")
        return try body(descriptor)
    }

    private static func readAll(from descriptor: Int32) -> [UInt8] {
        var answer: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 4096)
        while true {
            // Zero at the end; less when the other side cut the connection, or said nothing for as long as it may.
            let count = recv(descriptor, &buffer, buffer.count, 0)
            guard count > 0 else { return answer }
            answer += buffer.prefix(count)
        }
    }

    private static func set<Value: BitwiseCopyable>(_ option: Int32, to value: Value, on descriptor: Int32) {
        withUnsafeBytes(of: value) { bytes in
            _ = setsockopt(descriptor, SOL_SOCKET, option, bytes.baseAddress, socklen_t(bytes.count))
        }
    }
}

#if canImport(Glibc)
    private let streamKind = Int32(SOCK_STREAM.rawValue)
#else
    private let streamKind = SOCK_STREAM
#endif
