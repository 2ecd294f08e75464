internal import Contracts
public import Envelope
internal import Localization
internal import Majordomo
internal import MessageBus
internal import ProcessKit

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

    /// The caller's role may not send this kind.
    static func forbidden(_ request: IncomingRequest) -> Failure {
        let kind = request.envelope.header.kind
        let least = Role.least(for: kind)
        return Failure(
            .forbidden,
            LocalizedText(
                ko: "이 프로그램의 키로는 \(kind) 요청을 보낼 수 없습니다. \(least.text.ko) 키를 쓰세요: "
                    + "\(Installation.program("broker")) keygen \(least.option)",
                en: "The key of this program does not allow \(kind). Use the key of \(least.text.en): "
                    + "\(Installation.program("broker")) keygen \(least.option)"),
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

extension Role {
    fileprivate var text: LocalizedText {
        switch self {
        case .client: LocalizedText(ko: "클라이언트", en: "a client")
        case .worker: LocalizedText(ko: "워커", en: "a worker")
        case .stackOperator: LocalizedText(ko: "운영자", en: "an operator")
        }
    }

    /// Of `broker keygen`.
    fileprivate var option: String {
        switch self {
        case .client: "--client NAME"
        case .worker: "--worker SERVICE/NAME"
        case .stackOperator: "--operator NAME"
        }
    }
}

extension StartupError {
    init(_ dismissal: WorkerDismissal, instance: String, service: String) {
        let (text, exitStatus) =
            switch dismissal {
            case .exclusive:
                (
                    LocalizedText(
                        ko: "브로커가 \(instance)의 등록을 거부했습니다. \(service)는 하나만 등록할 수 있고 이미 있습니다. "
                            + "먼저 그 인스턴스를 종료하세요. 확인: \(Installation.gateway) workers",
                        en:
                            "The broker refuses \(instance): another \(service) is registered, and there can be only one. "
                            + "Stop that one first; \(Installation.gateway) workers names it."), ExitStatus.unavailable
                )
            case .doubled:
                (
                    LocalizedText(
                        ko: "브로커가 \(instance)의 등록을 해제했습니다. 다른 프로세스가 같은 이름으로 등록했습니다. "
                            + "둘 중 하나를 종료하거나 BOXOFFICE_INSTANCE로 이름을 다르게 정하세요.",
                        en: "The broker expelled \(instance): another process has registered under this name. "
                            + "Stop one of the two, or give it a BOXOFFICE_INSTANCE of its own."),
                    ExitStatus.unavailable
                )
            case .forbidden:
                (
                    LocalizedText(
                        ko: "브로커가 \(instance)의 등록을 거부했습니다. \(service) 워커의 키가 아닙니다. 브로커가 있는 컴퓨터에서 "
                            + "만드세요: \(Installation.program("broker")) keygen --worker \(service)/NAME",
                        en:
                            "The broker refuses \(instance): its key is not that of a worker of \(service). Make one where "
                            + "the broker runs: \(Installation.program("broker")) keygen --worker \(service)/NAME."),
                    ExitStatus.noPermission
                )
            }
        self.init(text, exitStatus: exitStatus)
    }
}
