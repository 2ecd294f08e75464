import Contracts
import Envelope
import ServiceKit
import TerminalText

/// The one renderer of failures: what failed, why, what to do, and whether trying again can help.
struct FailureText {
    let language: Language

    func line(_ failure: Failure) -> String {
        let message = language(failure.message.ko, failure.message.en).printable
        let status = failure.httpStatus.map { " [HTTP \($0)]" } ?? ""
        let retry = failure.isRetryable ? language("재시도 가능", "retry may help") : language("재시도 불필요", "retry is no use")
        return "\(message)\(status) (\(failure.code.rawValue.printable), \(retry))"
    }

    /// The program's exit code when this failure is the answer.
    static func exitStatus(_ code: FailureCode) -> Int32 {
        switch code {
        case .notFound, .empty, .noHits, .unknownQuery, .notStored: ExitStatus.noInput
        case .unreadable, .upstreamMalformed, .requestRefused, .upstreamFault, .addressRefused: ExitStatus.dataError
        case .unavailable, .brokerLost, .workerLost: ExitStatus.unavailable
        case .upstreamUnreachable, .upstreamHTTP, .upstreamUnavailable, .noImage, .imageUnreachable:
            ExitStatus.unavailable
        case .timeout, .upstreamTimeout, .quotaExceeded, .notPublished, .overloaded, .busy, .tooOld:
            ExitStatus.temporary
        case .storage: ExitStatus.inputOutput
        case .keyRejected: ExitStatus.noPermission
        case .configuration: ExitStatus.configuration
        default: ExitStatus.software
        }
    }
}

/// How old something is, in the largest whole unit.
struct AgeText {
    let language: Language

    func text(_ seconds: Int) -> String {
        language("\(span(seconds)) 전", "\(span(seconds)) old")
    }

    /// A length of time.
    func span(_ seconds: Int) -> String {
        switch seconds {
        case ..<60: language("\(max(0, seconds))초", "\(max(0, seconds)) s")
        case ..<3600: language("\(seconds / 60)분", "\(seconds / 60) min")
        case ..<86_400: language("\(seconds / 3600)시간", "\(seconds / 3600) h")
        default: language("\(seconds / 86_400)일", "\(seconds / 86_400) d")
        }
    }
}
