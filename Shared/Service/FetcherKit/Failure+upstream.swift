internal import Contracts
public import Envelope
internal import Localization
public import Upstream

extension Failure {
    /// Converts any error of a fetch: upstream errors by their code, failures unchanged.
    init(from error: any Error) {
        switch error {
        case let failure as Failure: self = failure
        case let error as UpstreamError: self.init(error)
        case let error as DecodingError: self = .malformedPayload(error)
        default:
            self.init(
                .internal, LocalizedText(ko: "내부 오류: \(error)", en: "Internal error: \(error)"), isRetryable: false)
        }
    }

    /// The stable code, with Korean text in addition to the English text of the upstream library.
    public init(_ error: UpstreamError) {
        let (code, korean) = Self.words(for: error)
        self.init(
            code, LocalizedText(ko: korean, en: error.message + Self.advice(for: error)),
            isRetryable: error.isRetryable, httpStatus: error.httpStatus, faultCode: error.faultCode)
    }

    /// What the user can do, where the message of the upstream library states only what happened.
    private static func advice(for error: UpstreamError) -> String {
        switch error.code {
        case .keyRejected: " Check the API key."
        case .quotaExceeded: error.isRetryable ? " Try again in a moment." : " Try again tomorrow."
        case .notFound: " Check the film's code."
        default: ""
        }
    }

    private static func words(for error: UpstreamError) -> (FailureCode, String) {
        let detail = error.faultCode.map { " (코드 \($0))" } ?? error.httpStatus.map { " (HTTP \($0))" } ?? ""
        return switch error.code {
        case .configuration: (.configuration, "업스트림 설정이 올바르지 않습니다. API 키와 주소를 확인하세요\(detail).")
        case .keyRejected: (.keyRejected, "업스트림이 API 키를 거부했습니다. 키를 확인하세요\(detail).")
        case .quotaExceeded where error.isRetryable: (.quotaExceeded, "API 이용량을 초과했습니다. 잠시 뒤에 다시 시도하세요\(detail).")
        case .quotaExceeded: (.quotaExceeded, "API 하루 이용량을 초과했습니다. 내일 다시 시도하세요\(detail).")
        case .requestRefused: (.requestRefused, "업스트림이 요청을 이해하지 못했습니다\(detail).")
        case .fault: (.upstreamFault, "업스트림이 답하기를 거절했습니다\(detail).")
        case .transport: (.upstreamUnreachable, "업스트림에 연결하지 못했거나 연결이 끊겼습니다.")
        case .timeout: (.upstreamTimeout, "업스트림이 제때 답하지 않았습니다. 다시 시도하면 나올 수 있습니다.")
        case .http: (.upstreamHTTP, "업스트림이 오류로 답했습니다\(detail).")
        case .malformed: (.upstreamMalformed, "업스트림의 답을 읽을 수 없습니다.")
        case .notFound: (.notFound, "이 코드의 영화가 없습니다. 영화 코드를 확인하세요.")
        case .addressRefused: (.addressRefused, "공개 인터넷 주소가 아니어서 묻지 않았습니다.")
        case .unavailable: (.upstreamUnavailable, "업스트림이 한동안 답하지 않아 잠시 묻지 않습니다. 잠시 뒤에 다시 시도하세요.")
        default: (.upstreamFault, "업스트림 오류\(detail).")
        }
    }

    /// A value that the cache announced but did not send: it was evicted between two requests.
    static func missing(_ key: String) -> Failure {
        Failure(
            .internal,
            LocalizedText(ko: "캐시에서 값이 사라졌습니다(\(key)). 다시 시도하세요.", en: "\(key) is missing from the cache. Try again."),
            isRetryable: true)
    }
}
