/// A refusal of Kakao's image search: a status of its own and `errorType` with a message.
enum KakaoRefusal: Sendable {
    case missingQuery
    /// The message for a value out of range is recorded only for "page is more than max"; the others follow it.
    case invalidArgument(String)
    /// Echoes the key of the request, as Kakao does: logging this body logs the key.
    case wrongKey(String)
    case quotaExceeded
    /// Kakao's platform answers in place of the search, in a format of its own.
    case platform(Int, String)

    var status: Int {
        switch self {
        case .missingQuery, .invalidArgument: 400
        case .wrongKey: 401
        case .quotaExceeded: 429
        case .platform(let code, _): code == -10 ? 400 : 500
        }
    }

    var body: [UInt8] {
        if case .platform(let code, let message) = self {
            return OrderedJSON.object([("code", .number(code)), ("msg", .string(message))]).bytes
        }
        return OrderedJSON.object([("errorType", .string(type)), ("message", .string(message))]).bytes
    }

    private var type: String {
        switch self {
        case .missingQuery: "MissingParameter"
        case .invalidArgument: "InvalidArgument"
        case .wrongKey: "AccessDeniedError"
        case .quotaExceeded: "RequestThrottled"
        case .platform: ""
        }
    }

    private var message: String {
        switch self {
        case .missingQuery: "query parameter required"
        case .invalidArgument(let reason): reason
        case .wrongKey(let key): "wrong appKey(\(key)) format"
        case .quotaExceeded: "API limit has been exceeded."
        case .platform(_, let message): message
        }
    }
}
