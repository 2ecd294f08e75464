internal import FlatJSON

/// The 16 bytes that identify a request in all its messages and repetitions.
///
/// By convention the first 8 bytes identify the query of the request, and the last 8 the call, so that all events of a
/// query have one prefix, including those of the broker, which reads nothing else of a body.
public struct RequestID: Sendable, Hashable, CustomStringConvertible {
    public let query: UInt64
    public let call: UInt64

    public init(query: UInt64, call: UInt64) {
        self.query = query
        self.call = call
    }

    package init(_ bytes: Frame, at offset: Int) {
        query = bytes.bigEndian(UInt64.self, at: offset)
        call = bytes.bigEndian(UInt64.self, at: offset + 8)
    }

    /// 32 hexadecimal digits.
    public var description: String {
        query.hexadecimal + call.hexadecimal
    }

    /// The 16 hexadecimal digits of the query.
    public var queryText: String { query.hexadecimal }
}
