public import Envelope
internal import Localization

extension Failure {
    /// A kind that this service does not serve.
    public static func unknownKind(_ kind: String, service: String) -> Failure {
        Failure(
            .malformed,
            LocalizedText(
                ko: "\(service) 서비스는 \(kind) 요청을 알지 못합니다. 모든 프로그램을 같은 판으로 맞추세요.",
                en: "\(service) does not know the request \(kind). Bring all programs to the same release."),
            isRetryable: false)
    }

    /// The caller has timed out.
    static func expired(service: String) -> Failure {
        Failure(
            .timeout,
            LocalizedText(
                ko: "\(service) 서비스에 너무 늦게 도착했습니다. 다시 시도하면 나올 수 있습니다.",
                en: "The request reached \(service) too late. Trying again may help."),
            isRetryable: true)
    }

    /// An error that is not a `Failure`.
    static func defect(_ error: any Error) -> Failure {
        Failure(
            .internal, LocalizedText(ko: "내부 오류: \(error)", en: "Internal error: \(error)"), isRetryable: false)
    }
}
