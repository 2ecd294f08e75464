#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#else
    internal import Darwin
#endif

extension Error {
    /// Why a file could not be read or written, as the system's message: Foundation's description is a dump of its
    /// fields. Nil for an error of another origin.
    public var systemReason: String? {
        let cause = ((self as? CocoaError)?.underlying as? POSIXError)?.code.rawValue
        return cause.map { String(cString: strerror($0)) }
    }
}
