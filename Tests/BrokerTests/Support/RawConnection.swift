import Foundation
import Testing

/// A tcp connection without any ZeroMQ on this side.
enum RawConnection {
    /// Connects, sends the bytes, says that no more come, and reads to the end; without bytes it hangs up at once.
    static func exchange(_ bytes: [UInt8], with endpoint: String) throws -> [UInt8] {
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
        if bytes.isEmpty {
            // By a reset: it leaves nothing behind, however often this is done.
            var linger = linger(l_onoff: 1, l_linger: 0)
            setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &linger, socklen_t(MemoryLayout.size(ofValue: linger)))
            return []
        }
        _ = send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL))
        shutdown(descriptor, Int32(SHUT_WR))
        var answer: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 4096)
        while true {
            // Zero at the end; less when the other side cut the connection.
            let count = recv(descriptor, &buffer, buffer.count, 0)
            guard count > 0 else { return answer }
            answer += buffer.prefix(count)
        }
    }
}

#if canImport(Glibc)
    private let streamKind = Int32(SOCK_STREAM.rawValue)
#else
    private let streamKind = SOCK_STREAM
#endif
