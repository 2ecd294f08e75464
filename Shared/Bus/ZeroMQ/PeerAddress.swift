#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#else
    internal import Darwin
#endif

/// The IP address of the peer of a connected descriptor, in libzmq's notation; nil if there is none.
func peerAddress(of descriptor: Int32) -> String? {
    var storage = sockaddr_storage()
    var size = socklen_t(MemoryLayout<sockaddr_storage>.size)
    return withUnsafeMutablePointer(to: &storage) { pointer in
        pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
            guard getpeername(descriptor, address, &size) == 0 else { return nil }
            // For a unix socket, the C library would return "localhost".
            guard [AF_INET, AF_INET6].contains(Int32(address.pointee.sa_family)) else { return nil }
            var host = [CChar](repeating: 0, count: Int(NI_MAXHOST))
            let status = getnameinfo(address, size, &host, socklen_t(host.count), nil, 0, NI_NUMERICHOST)
            guard status == 0 else { return nil }
            return String(decoding: host.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        }
    }
}
