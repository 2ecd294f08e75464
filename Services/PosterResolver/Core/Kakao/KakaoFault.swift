import Upstream

/// A refusal of Kakao, in one of two forms: `{"errorType", "message"}` of the search, `{"code", "msg"}` of the
/// platform.
struct KakaoFault: Decodable {
    /// "RequestThrottled" or "-10"; nil when the body is not a fault.
    let code: String?
    let message: String?

    private enum CodingKeys: CodingKey {
        case errorType, message, code, msg
    }

    init(from decoder: any Decoder) throws {
        let body = try decoder.container(keyedBy: CodingKeys.self)
        code = try body.textIfKnown(.errorType) ?? body.textIfKnown(.code)
        message = try body.textIfKnown(.message) ?? body.textIfKnown(.msg)
    }

    private init(code: String?, message: String?) {
        self.code = code
        self.message = message
    }

    /// A refusal with a status but without a fault body.
    static let statusOnly = KakaoFault(code: nil, message: nil)

    /// The meaning of the fault; the status decides if the body has no code.
    func error(in response: UpstreamResponse) -> UpstreamError {
        let status = response.status
        func error(_ errorCode: UpstreamError.Code, _ text: String, isRetryable: Bool = false) -> UpstreamError {
            let words = [code ?? "HTTP status \(status)", message].compactMap { $0 }.joined(separator: ": ")
            return UpstreamError(
                errorCode, "\(text) (\(words)).", httpStatus: status, faultCode: code, isRetryable: isRetryable)
        }
        switch (code, status) {
        case ("RequestThrottled", _), ("-10", _), (_, 429):
            return error(
                .quotaExceeded, "Kakao answers no more for now, since the key's quota is used up",
                isRetryable: status == 429)
        case ("AccessDeniedError", _), ("-401", _), ("-3", _), (nil, 401), (nil, 403):
            return error(.keyRejected, "Kakao does not accept the API key")
        case ("MissingParameter", _), ("InvalidArgument", _), ("-2", _):
            return error(.requestRefused, "Kakao does not understand the request")
        case ("-1", _), ("-7", _), ("-603", _), ("-9798", _):
            return error(.fault, "Kakao has a fault of its own", isRetryable: true)
        case (nil, _):
            return .http(response, from: KakaoClient.upstream)
        default:
            return error(.fault, "Kakao refuses to answer", isRetryable: status >= 500)
        }
    }
}
