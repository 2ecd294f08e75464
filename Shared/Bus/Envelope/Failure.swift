public import Localization

/// A failure in a message: a stable code, a sentence in both languages, and whether a retry can succeed.
public struct Failure: Error, Codable, Sendable, Equatable {
    public let code: FailureCode
    public let message: LocalizedText
    /// A later retry of the same request may succeed.
    public let isRetryable: Bool
    /// The upstream's HTTP status, when one was received.
    public let httpStatus: Int?
    /// The upstream's own code for the error, when it reported one: "320010", "-10", "RequestThrottled".
    public let faultCode: String?

    public init(
        _ code: FailureCode, _ message: LocalizedText, isRetryable: Bool, httpStatus: Int? = nil,
        faultCode: String? = nil
    ) {
        self.code = code
        self.message = message
        self.isRetryable = isRetryable
        self.httpStatus = httpStatus
        self.faultCode = faultCode
    }
}

/// The stable name of a failure's cause; codes of services are declared next to their contracts.
public struct FailureCode: RawRepresentable, Codable, Sendable, Hashable {
    public let rawValue: String

    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    // Codes of the bus.
    public static let unavailable = FailureCode(rawValue: "unavailable")
    public static let overloaded = FailureCode(rawValue: "overloaded")
    public static let timeout = FailureCode(rawValue: "timeout")
    public static let workerLost = FailureCode(rawValue: "worker_lost")
    public static let brokerLost = FailureCode(rawValue: "broker_lost")
    public static let malformed = FailureCode(rawValue: "malformed")
    public static let tooLarge = FailureCode(rawValue: "too_large")
    /// The role of the caller may not send this kind of request.
    public static let forbidden = FailureCode(rawValue: "forbidden")
    public static let unsupportedVersion = FailureCode(rawValue: "unsupported_version")
    /// No event of such a query is kept.
    public static let unknownQuery = FailureCode(rawValue: "unknown_query")
    /// A defect of this product.
    public static let `internal` = FailureCode(rawValue: "internal")
}

extension Failure {
    /// A payload or an answer that violates its contract.
    public static func malformedPayload(_ error: DecodingError) -> Failure {
        malformedEnvelope(
            error.field.isEmpty
                ? "the payload is not what its contract says"
                : "the payload's field \(error.field) is missing or not what it should be")
    }
}

extension DecodingError {
    /// The path of the unreadable field, for example "failure.code"; empty for the whole value.
    var field: String {
        let path: [any CodingKey] =
            switch self {
            case .keyNotFound(let key, let context): context.codingPath + [key]
            case .valueNotFound(_, let context), .typeMismatch(_, let context), .dataCorrupted(let context):
                context.codingPath
            @unknown default: []
            }
        return path.map(\.stringValue).joined(separator: ".")
    }
}
