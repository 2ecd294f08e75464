public import Envelope
internal import Localization
internal import ProcessKit

extension Failure {
    /// A refusal by the broker, as a failure.
    package static func refused(_ refusal: Refusal, service: String, attempts: Int) -> Failure {
        switch refusal {
        case .unavailable:
            Failure(
                .unavailable,
                LocalizedText(
                    ko: "\(service) 서비스가 실행되고 있지 않습니다. 확인하세요: \(Installation.stack("ps"))",
                    en: "No \(service) is running. Check: \(Installation.stack("ps"))"),
                isRetryable: true)
        case .overloaded:
            Failure(
                .overloaded,
                LocalizedText(
                    ko: "\(service) 서비스에 요청이 밀려 있습니다. 잠시 뒤에 다시 시도하세요.",
                    en: "Requests are piling up at \(service). Try again in a moment."),
                isRetryable: true)
        case .expired:
            deadlinePassed(service: service)
        case .workerLost:
            Failure(
                .workerLost,
                LocalizedText(
                    ko: "\(service) 서비스가 처리 중에 멈췄습니다(\(attempts)번 시도). 다시 시도하세요.",
                    en: "\(service) died while it worked on this (\(attempts) attempts). Try again."),
                isRetryable: true)
        case .malformed:
            incompatibleProtocol(service: service)
        }
    }

    /// No answer arrived before the deadline.
    public static func deadlinePassed(service: String) -> Failure {
        Failure(
            .timeout,
            LocalizedText(
                ko: "시간 초과: \(service) 서비스가 제때 답하지 않았습니다. 다시 시도하면 나올 수 있습니다.",
                en: "Timeout: \(service) did not answer in time. Trying again may help."),
            isRetryable: true)
    }

    /// The broker or this program could not read the control frame of the other.
    private static func incompatibleProtocol(service: String) -> Failure {
        Failure(
            .malformed,
            LocalizedText(
                ko: "브로커와 이 프로그램의 프로토콜이 다릅니다(\(service) 요청). 모든 프로그램을 같은 버전으로 맞추세요.",
                en: "The broker and this program use different protocols (a request to \(service)). "
                    + "Bring all programs to the same version."),
            isRetryable: false)
    }
}
