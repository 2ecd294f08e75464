public import Envelope
internal import FlatJSON
internal import Synchronization

/// The query that a message belongs to, the call that caused it, and for whom the query is made.
public struct Trace: Sendable, Hashable {
    public let query: UInt64
    public let parent: UInt64?
    public var requestClass: RequestClass

    public init(query: UInt64, parent: UInt64? = nil, requestClass: RequestClass = .interactive) {
        self.query = query
        self.parent = parent
        self.requestClass = requestClass
    }

    /// A new query.
    public static func root(_ requestClass: RequestClass = .interactive) -> Trace {
        Trace(query: UniqueNumber.next(), requestClass: requestClass)
    }

    public var queryText: String { query.hexadecimal }

    /// The 32 digits that identify a call of this query in events and at the broker.
    public func requestText(call: UInt64) -> String { query.hexadecimal + call.hexadecimal }

    /// The query itself in W3C Trace Context.
    public var traceparent: TraceParent { TraceParent(query: query, call: query) }
}

/// Numbers for ids: unique within a process; collisions between processes are as unlikely as for random numbers.
///
/// SplitMix64 over a counter that starts at a random number. This avoids a system call for each id.
package enum UniqueNumber {
    private static let counter = Atomic<UInt64>(.random(in: 0 ... .max))

    package static func next() -> UInt64 {
        var number = counter.wrappingAdd(0x9e37_79b9_7f4a_7c15, ordering: .relaxed).newValue
        number = (number ^ (number >> 30)) &* 0xbf58_476d_1ce4_e5b9
        number = (number ^ (number >> 27)) &* 0x94d0_49bb_1331_11eb
        number ^= number >> 31
        // 0 means "none" in a trace.
        return number == 0 ? next() : number
    }
}
