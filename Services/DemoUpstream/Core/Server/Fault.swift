/// A fault that an upstream has shown or may show.
public enum Fault: String, Sendable, CaseIterable {
    case none
    /// The key is refused: 320010 with HTTP 200 from KOBIS, 401 from Kakao.
    case key
    /// The day's quota is used up: 320011 with HTTP 200 from KOBIS, 429 from Kakao.
    case quota
    /// Kakao's other form of the same, code -10 with HTTP 400; KOBIS has one form only.
    case platformQuota = "platform-quota"
    /// Too many calls at a time: HTTP 429 without a quota message.
    case throttled
    /// A refusal with an undocumented code: 329999 with HTTP 200 from KOBIS, -1 with 500 from Kakao.
    case refusal
    /// The answer is good but late.
    case slow
    /// The connection is closed, and no byte was sent.
    case closed
    /// A maintenance page: HTML with HTTP 200.
    case html
    /// `Content-Length` of the whole body, half of it, and a closed connection.
    case truncated
    /// Half of the JSON as a complete response, as a broken proxy would pass it on.
    case halfJSON = "half-json"
    /// HTTP 200 and well-formed JSON without the expected members.
    case otherJSON = "other-json"
    /// HTTP 200, `application/json`, and text that is no JSON.
    case notJSON = "not-json"
    /// HTTP 200 and no byte at all.
    case empty
    /// A redirect to the same address.
    case redirect
    /// A redirect to another port of the caller's own machine, which a caller must not follow.
    case misdirected
    /// HTTP 200 and four megabytes.
    case huge
    /// HTTP 200 and the beginning of a PNG of 20,000 x 20,000 pixels.
    case vastImage = "vast-image"
    case error500
    case error503

    /// The answer with this fault, in the format of the API.
    ///
    /// - Parameter key: the key that the caller sent, which Kakao echoes in its refusal.
    func applied(to regular: DemoAnswer, of api: UpstreamAPI, key: String) -> DemoAnswer {
        var answer = regular
        if self != .none { answer.origin = .fault }
        switch self {
        case .none, .slow: return regular
        case .key: return refusal(of: api, .invalidKey, .wrongKey(key))
        case .quota: return refusal(of: api, .quotaExceeded, .quotaExceeded)
        case .platformQuota: return refusal(of: api, .quotaExceeded, .platform(-10, "API limit has been exceeded."))
        case .throttled: return failure(429, "Too Many Requests")
        case .refusal: return refusal(of: api, .unknown, .platform(-1, "Internal error"))
        case .closed: answer.isConnectionClosed = true
        case .html:
            answer.contentType = "text/html;charset=utf-8"
            answer.body = Array("<!DOCTYPE html><html><body><h1>서비스 점검 중입니다</h1></body></html>\n".utf8)
        case .truncated: answer.cutAfter = answer.body.count / 2
        case .halfJSON: answer.body = Array(answer.body.prefix(answer.body.count / 2))
        case .otherJSON: answer.body = Array(#"{"result":"ok"}"#.utf8)
        case .notJSON: answer.body = Array("temporarily unavailable".utf8)
        case .empty: answer.body = []
        case .redirect: answer.redirect(to: "?again")
        case .misdirected: answer.redirect(to: "http://127.0.0.1:1/")
        case .huge: answer.body = Array(repeating: UInt8(ascii: " "), count: 4 << 20)
        case .vastImage:
            answer.contentType = "image/png"
            let side: [UInt8] = [0, 0, 0x4E, 0x20]
            answer.body =
                [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13] + Array("IHDR".utf8) + side + side
        case .error500: return failure(500, "Internal Server Error")
        case .error503: return failure(503, "Service Unavailable")
        }
        return answer
    }

    private func refusal(of api: UpstreamAPI, _ kobis: KobisRefusal, _ kakao: KakaoRefusal) -> DemoAnswer {
        switch api {
        case .kobis: .fault(kobis)
        case .kakao: .refusal(kakao)
        // The answer of an image host to a hot link.
        case .pictures: failure(403, "Forbidden")
        }
    }

    private func failure(_ status: Int, _ reason: String) -> DemoAnswer {
        var answer = DemoAnswer.text(reason, status: status)
        answer.origin = .fault
        return answer
    }
}
