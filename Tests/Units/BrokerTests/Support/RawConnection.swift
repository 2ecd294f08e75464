import Foundation
import Testing

/// A connection without ZeroMQ on the client's side.
enum RawConnection {
    /// Connects, sends the bytes, shuts down writing, and reads to the end.
    static func exchange(_ bytes: [UInt8], with endpoint: String) throws -> [UInt8] {
        try withConnection(to: endpoint) { descriptor in
            _ = send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL))
            shutdown(descriptor, Int32(SHUT_WR))
            return readAll(from: descriptor)
        }
    }

    /// Connects, sends nothing, reads for so long, and resets the connection.
    static func hangUp(on endpoint: String, afterMilliseconds milliseconds: Int) throws -> [UInt8] {
        try withConnection(to: endpoint) { descriptor in
            let limit = timeval(tv_sec: milliseconds / 1000, tv_usec: .init(milliseconds % 1000 * 1000))
            set(SO_RCVTIMEO, to: limit, on: descriptor)
            set(SO_LINGER, to: linger(l_onoff: 1, l_linger: 0), on: descriptor)
            return readAll(from: descriptor)
        }
    }

    private static func withConnection<Result>(
        to endpoint: String, _ body: (_ descriptor: Int32) throws -> Result
    ) throws -> Result {
        let descriptor = try open(endpoint)
        defer { close(descriptor) }
        return try body(descriptor)
    }

    /// A connected descriptor, which the caller closes.
    static func open(_ endpoint: String) throws -> Int32 {
        let name = endpoint.split(separator: "//").last.map(String.init) ?? ""
        let isUnix = endpoint.hasPrefix("ipc://")
        let descriptor = socket(isUnix ? AF_UNIX : AF_INET, streamKind, 0)
        let status = isUnix ? connectUnix(descriptor, "/" + name.drop { $0 == "/" }) : connectTCP(descriptor, name)
        if status != 0 {
            let code = errno
            close(descriptor)
            throw NotConnected(endpoint: endpoint, code: code)
        }
        // The close of a full TCP connection is detected only by the kernel's next probe, up to two minutes later.
        var limit = timeval(tv_sec: 5, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        return descriptor
    }

    struct NotConnected: Error {
        let endpoint: String
        let code: Int32
    }

    private static func connectTCP(_ descriptor: Int32, _ name: String) -> Int32 {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = (name.split(separator: ":").last.flatMap { UInt16($0) } ?? 0).bigEndian
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        return connect(descriptor, to: address)
    }

    private static func connectUnix(_ descriptor: Int32, _ path: String) -> Int32 {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8.prefix($0.count - 1)) }
        return connect(descriptor, to: address)
    }

    private static func connect<Address>(_ descriptor: Int32, to address: Address) -> Int32 {
        withUnsafePointer(to: address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                Foundation.connect(descriptor, $0, socklen_t(MemoryLayout<Address>.size))
            }
        }
    }

    /// Sends all bytes; false when the other side has ended the connection.
    static func sendAll(_ bytes: [UInt8], over descriptor: Int32) -> Bool {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
            guard count > 0 else { return false }
            rest = rest.dropFirst(count)
        }
        return true
    }

    /// Performs the ZMTP 3.1 handshake without keys.
    static func introduce(_ kind: String, over descriptor: Int32) -> Bool {
        let greeting: [UInt8] =
            [0xff] + [UInt8](repeating: 0, count: 8) + [0x7f, 3, 0] + Array("NULL".utf8)
            + [UInt8](repeating: 0, count: 48)
        let ready = Array("\u{5}READY\u{b}Socket-Type".utf8) + [0, 0, 0, UInt8(kind.utf8.count)] + Array(kind.utf8)
        guard sendAll(greeting + [4, UInt8(ready.count)] + ready, over: descriptor) else { return false }
        // 64 bytes of greeting, then a command of its own length.
        guard let length = read(66, from: descriptor)?.last else { return false }
        return read(Int(length), from: descriptor) != nil
    }

    /// A frame of a message; `more` states whether another one follows.
    static func frame(_ bytes: [UInt8], more: Bool) -> [UInt8] {
        withUnsafeBytes(of: UInt64(bytes.count).bigEndian) { [more ? 3 : 2] + $0 } + bytes
    }

    /// Reads exactly `count` bytes; nil when the other side has ended the connection.
    static func read(_ count: Int, from descriptor: Int32) -> [UInt8]? {
        var buffer = [UInt8](repeating: 0, count: count)
        var filled = 0
        while filled < count {
            let part = buffer[filled...].withUnsafeMutableBytes { recv(descriptor, $0.baseAddress, $0.count, 0) }
            guard part > 0 else { return nil }
            filled += part
        }
        return buffer
    }

    private static func readAll(from descriptor: Int32) -> [UInt8] {
        var answer: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 4096)
        while true {
            // Zero at the end; negative after a reset or when the time limit has passed without data.
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
