internal import Envelope
internal import Localization
internal import ProcessKit

extension Failure {
    /// - Parameter cause: why the last attempt to connect failed; nil when it did not.
    static func serversLost(address: String, cause: NATSError?) -> Failure {
        switch cause?.code {
        case .authenticationFailed?:
            Failure(
                .brokerLost,
                LocalizedText(
                    ko: "NATS 서버(\(address))가 이 프로그램의 키를 받아들이지 않습니다. 서버의 설정에 공개 키가 있는지"
                        + "(\(Installation.program("broker")) nats-config), BOXOFFICE_KEY_FILE이 맞는지 확인하세요.",
                    en:
                        "The NATS servers at \(address) do not admit this program. Check that their configuration has its "
                        + "public key (\(Installation.program("broker")) nats-config), and BOXOFFICE_KEY_FILE here."),
                isRetryable: false)
        case .encryptionFailed?, .encryptionMissing?:
            Failure(
                .brokerLost,
                LocalizedText(
                    ko: "NATS 서버(\(address))와 암호화 연결을 맺을 수 없습니다: \(cause?.reason ?? ""). 주소의 호스트 이름이 서버 "
                        + "인증서에 있는지, BOXOFFICE_CA_FILE이 맞는지 확인하세요.",
                    en: "No encrypted connection to the NATS servers at \(address) can be made: "
                        + "\(cause?.reason ?? ""). Check that the certificates name the hosts of the address, and "
                        + "BOXOFFICE_CA_FILE here."),
                isRetryable: false)
        default:
            Failure(
                .brokerLost,
                LocalizedText(
                    ko: "NATS 서버에 연결할 수 없습니다(\(address)). 서버가 실행 중인지, 주소가 맞는지 확인하세요.",
                    en: "No NATS server answers at \(address). Check that the servers run, and the address."),
                isRetryable: true)
        }
    }

    static func noJetStream(_ reason: String?) -> Failure {
        let reason = reason.map { " (\($0))" } ?? ""
        return Failure(
            .brokerLost,
            LocalizedText(
                ko: "NATS 서버의 JetStream을 쓸 수 없습니다\(reason). "
                    + "서버에 JetStream이 켜져 있는지 확인하세요. 리프 노드라면 JetStream이 있는 허브의 주소를 쓰세요.",
                en:
                    "JetStream of the NATS servers cannot be used\(reason). Check that it is enabled there. If this is a leaf "
                    + "node without it, name a server of the hub, whose JetStream has a domain of its own."),
            isRetryable: true)
    }

    /// The permissions of this program's key do not contain the subject.
    static func notPermitted(_ subject: String) -> Failure {
        Failure(
            .forbidden,
            LocalizedText(
                ko:
                    "이 프로그램의 키로는 NATS 서버에서 \(subject)를 쓸 수 없습니다. 알맞은 역할의 키를 쓰세요: \(Installation.program("broker")) keygen --nats",
                en:
                    "The key of this program does not allow \(subject) on the NATS servers. Use the key of a role that may: "
                    + "\(Installation.program("broker")) keygen --nats"),
            isRetryable: false)
    }

    /// A server takes smaller messages than we send.
    static func exceedsServer(_ size: Int, limit: Int) -> Failure {
        Failure(
            .tooLarge,
            LocalizedText(
                ko: "메시지가 \(size)바이트입니다. 서버는 최대 \(limit)바이트를 받습니다. NATS 서버의 max_payload를 4MB로 늘리세요.",
                en: "The message has \(size) bytes, and the server takes at most \(limit). "
                    + "Set max_payload of the NATS servers to 4MB."),
            isRetryable: false)
    }
}
