internal import NIOCore

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#else
    internal import Darwin
#endif

extension IOError {
    /// The reason without the name of the system call, with which `description` begins.
    var plainReason: String {
        switch errnoCode {
        case ECONNREFUSED: "connection refused"
        case ECONNRESET, EPIPE: "connection reset by the other side"
        case EHOSTUNREACH, ENETUNREACH, ENETDOWN: "no route to the host"
        case ETIMEDOUT: "connection timed out"
        default: description
        }
    }
}
