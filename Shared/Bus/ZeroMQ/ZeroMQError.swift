internal import CZeroMQ

/// A failed libzmq call: the operation, the cause and the endpoint.
public struct ZeroMQError: Error, Sendable, CustomStringConvertible {
    /// The cause, by its errno. Causes without a name keep their number.
    public struct Code: Hashable, Sendable {
        public let errno: Int32

        public static let invalidArgument = Code(errno: EINVAL)
        public static let protocolNotSupported = Code(errno: EPROTONOSUPPORT)
        /// This libzmq was built without the feature.
        public static let notSupported = Code(errno: ENOTSUP)
        /// The socket was closed, here or by the end of its scope.
        public static let socketClosed = Code(errno: ENOTSOCK)
    }

    public let code: Code
    /// The libzmq call, such as "bind" or "receive".
    public let operation: String
    public let endpoint: String?

    public init(code: Code, operation: String, endpoint: String? = nil) {
        self.code = code
        self.operation = operation
        self.endpoint = endpoint
    }

    /// The error of the last libzmq call on this thread.
    static func last(_ operation: String, endpoint: String? = nil) -> ZeroMQError {
        ZeroMQError(code: Code(errno: zmq_errno()), operation: operation, endpoint: endpoint)
    }

    public var description: String {
        let cause = zmq_strerror(code.errno).map { String(cString: $0) } ?? "error \(code.errno)"
        return "ZeroMQ could not \(operation)\(endpoint.map { " \($0)" } ?? ""): \(cause)"
    }
}
