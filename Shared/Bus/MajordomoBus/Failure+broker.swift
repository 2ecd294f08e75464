internal import Envelope
internal import Localization
internal import ProcessKit

extension Failure {
    static func brokerLost(endpoint: String) -> Failure {
        Failure(
            .brokerLost,
            LocalizedText(
                ko:
                    "브로커에 연결할 수 없습니다(\(endpoint)). 시작하세요: \(Installation.stack("up")) (데모: \(Installation.stack("up --demo")))",
                en:
                    "The broker does not answer at \(endpoint). Start it: \(Installation.stack("up")) (demo: \(Installation.stack("up --demo")))"
            ),
            isRetryable: true)
    }

    static func brokerRefuses(endpoint: String) -> Failure {
        Failure(
            .brokerLost,
            LocalizedText(
                ko: "브로커(\(endpoint))가 이 프로그램의 키를 받아들이지 않습니다. 브로커의 키 폴더에 공개 키가 있는지, "
                    + "BOXOFFICE_KEY_FILE과 BOXOFFICE_BROKER_KEY_FILE이 맞는지 확인하세요.",
                en: "The broker at \(endpoint) does not admit this program. Check that its key folder has this "
                    + "program's public key, and BOXOFFICE_KEY_FILE and BOXOFFICE_BROKER_KEY_FILE here."),
            isRetryable: false)
    }
}
