internal import Upstream

/// A refusal of KOBIS: HTTP 200 and `{"faultInfo": {"message", "errorCode"}}` in place of the answer.
struct KobisFault: Decodable {
    /// Normally a string; the message may change and is only displayed, never compared.
    let code: String?
    let message: String?

    private enum CodingKeys: String, CodingKey {
        case code = "errorCode"
        case message
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        code = try container.textIfKnown(.code)
        message = try container.textIfKnown(.message)
    }

    static let dayUsedUp = "320011"

    /// Whether the code is about the key, its quota or the request, and not about the requested film or chart.
    var isExplained: Bool { explanation != nil }

    func error(httpStatus: Int) -> UpstreamError {
        let words = [code.map { "fault \($0)" } ?? "a fault without a code", message].compactMap { $0 }
        let (errorCode, text) = explanation ?? (.fault, "KOBIS refuses to answer")
        return UpstreamError(
            errorCode, "\(text) (\(words.joined(separator: ": "))).", httpStatus: httpStatus, faultCode: code,
            isDayUsedUp: code == Self.dayUsedUp)
    }

    private var explanation: (UpstreamError.Code, String)? {
        switch code {
        case "320010": (.keyRejected, "KOBIS does not accept the API key")
        case Self.dayUsedUp: (.quotaExceeded, "KOBIS answers no more today, since the key's daily quota is used up")
        case "320102", "320103", "320105": (.requestRefused, "KOBIS does not understand the request")
        default: nil
        }
    }
}
