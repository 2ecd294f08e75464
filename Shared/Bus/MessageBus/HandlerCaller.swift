public import Envelope
internal import Localization
internal import Synchronization

/// Calls the handler of a worker with the frames of a request, and returns those of its answer.
public struct HandlerCaller: Sendable {
    /// Failures by code.
    public final class Tally: Sendable {
        private let counts = Mutex<[FailureCode: Int]>([:])

        public init() {}

        public var failures: [FailureCode: Int] { counts.withLock { $0 } }

        public func count(_ code: FailureCode) {
            counts.withLock { $0[code, default: 0] += 1 }
        }
    }

    let instance: String
    public let tally: Tally
    let handler: BusWorker.Handler

    public init(instance: String, tally: Tally, handler: @escaping BusWorker.Handler) {
        self.instance = instance
        self.tally = tally
        self.handler = handler
    }

    /// - Parameters:
    ///   - control: nil for the body of a plain client.
    ///   - kind: for which the transport has admitted the request; nil when it does not read the kind.
    ///   - role: the authenticated role of the caller.
    /// - Returns: The reply; nil for a request that is returned undelivered.
    public func answer(
        _ content: ArraySlice<Frame>, control: ControlFrame?, kind: String? = nil, role: UInt8,
        deadline: ContinuousClock.Instant
    ) async -> [Frame]? {
        do {
            let envelope = try Envelope(frames: content)
            if let kind, envelope.header.kind != kind {
                throw Failure.malformedEnvelope(
                    "its kind is \(String(envelope.header.kind.unicodeScalars.prefix(100))), that of its subject \(kind)"
                )
            }
            let request = IncomingRequest(
                envelope: envelope,
                trace: Trace(
                    query: envelope.header.query.rawValue, parent: control?.id.call,
                    requestClass: envelope.header.requestClass ?? .interactive),
                deadline: deadline, attempts: Int(control?.attempts ?? 1), role: role, id: control?.id)
            return try await handler(request).frames()
        } catch is RequestReturned {
            return nil
        } catch {
            return makeFailureReply(to: control, error)
        }
    }

    /// The reply for an unreadable body or for an answer that cannot be sent; counts the failure.
    public func makeFailureReply(to control: ControlFrame?, _ error: any Error) -> [Frame] {
        let failure =
            error as? Failure
            ?? Failure(
                .internal, LocalizedText(ko: "내부 오류: \(error)", en: "Internal error: \(error)"), isRetryable: false)
        tally.count(failure.code)
        let trace = Trace(query: control?.id.query ?? 0)
        let header = Header(
            query: HexadecimalID(rawValue: trace.query), kind: "failure", sender: instance,
            traceparent: TraceParent(query: trace.query, call: 0),
            status: .failed, failure: failure)
        // A header that is built here always encodes; the empty reply is a fallback that does not occur.
        return (try? Envelope(header: header).frames()) ?? []
    }
}
