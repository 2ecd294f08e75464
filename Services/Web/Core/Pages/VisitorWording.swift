import Contracts
import Envelope
import Localization

/// A failure in the words of a visitor, who can neither see nor change what runs behind a page.
struct VisitorWording {
    let language: Language

    /// What is wrong, and what to do when that helps; without the codes and commands of an operator.
    func reason(_ failure: Failure) -> String {
        let reason = reason(failure.code)
        guard failure.isRetryable else { return reason }
        return "\(reason) \(language("잠시 뒤에 다시 시도하세요.", "Try again in a moment."))"
    }

    private func reason(_ code: FailureCode) -> String {
        switch code {
        case .unavailable, .workerLost, .brokerLost, .overloaded, .busy:
            language("지금은 자료를 불러올 수 없습니다.", "The data is not available right now.")
        case .timeout, .upstreamTimeout: language("응답이 늦습니다.", "The answer takes too long.")
        case .upstreamFault, .upstreamUnreachable, .upstreamHTTP, .upstreamUnavailable, .upstreamMalformed,
            .requestRefused:
            language("자료를 제공하는 서버에 문제가 있습니다.", "The server that provides the data has a problem.")
        case .quotaExceeded, .quotaReserved:
            language("오늘 쓸 수 있는 조회 횟수를 다 썼습니다. 내일 다시 시도하세요.", "Today's lookups are used up. Try again tomorrow.")
        case .notFound: language("KOBIS에 없는 영화입니다.", "KOBIS does not list this film.")
        case .notPublished: language("아직 발표되지 않았습니다.", "It is not published yet.")
        case .empty: language("이날 순위에 오른 영화가 없습니다.", "No film was ranked on this day.")
        case .noHits: language("찾은 것이 없습니다.", "Nothing was found.")
        case .noImage, .imageUnreachable, .addressRefused:
            language("이미지를 불러올 수 없습니다.", "The image cannot be loaded.")
        case .unreadable, .malformed: language("자료를 읽을 수 없습니다.", "The data cannot be read.")
        case .notStored: language("저장된 자료가 없습니다.", "No data is stored.")
        case .tooOld: language("저장된 자료가 너무 오래되었습니다.", "The stored data is too old.")
        case .keyRejected, .configuration:
            language("사이트 설정에 문제가 있습니다. 운영자에게 알려 주세요.", "This site is not set up correctly. Please tell its operator.")
        default: language("서버에 오류가 있습니다.", "The server has an error.")
        }
    }
}
