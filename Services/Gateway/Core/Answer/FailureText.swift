import Contracts
import Envelope
import Localization
import ProcessKit

/// A failure as this program prints it: what happened and what to do, and an exit code.
struct FailureText {
    let language: Language

    func line(_ failure: Failure) -> String {
        let message = failure.message(language)
        // A message that ends with a command says what to do.
        let saysAgain = message.contains(language("다시", "again")) || !message.hasSuffix(".")
        let advice =
            Self.hint(failure.code)?(language)
            ?? (failure.isRetryable && !saysAgain ? language("잠시 뒤에 다시 시도하세요.", "Try again in a moment.") : nil)
        // A status of success explains no failure.
        let status = failure.httpStatus.flatMap { 200..<300 ~= $0 ? nil : "[HTTP \($0)]" }
        return [message, status, advice].compactMap(\.self).joined(separator: " ").printable
    }

    /// The option of this program that helps.
    private static func hint(_ code: FailureCode) -> LocalizedText? {
        switch code {
        case .notStored: LocalizedText(ko: "--offline 없이 다시 실행하세요.", en: "Run the command again without --offline.")
        case .tooOld:
            LocalizedText(ko: "--max-stale을 늘리거나 빼세요.", en: "Raise --max-stale or leave it out.")
        case .unreadable: LocalizedText(ko: "--refresh로 새로 받으세요.", en: "Fetch it again with --refresh.")
        default: nil
        }
    }

    /// The program's exit code when this failure is the answer.
    static func exitStatus(_ code: FailureCode) -> Int32 {
        switch code {
        case .notFound, .empty, .noHits, .unknownQuery, .notStored: ExitStatus.noInput
        case .unreadable, .upstreamMalformed, .requestRefused, .upstreamFault, .addressRefused: ExitStatus.dataError
        case .unavailable, .brokerLost, .workerLost: ExitStatus.unavailable
        case .upstreamUnreachable, .upstreamHTTP, .upstreamUnavailable, .noImage, .imageUnreachable:
            ExitStatus.unavailable
        case .timeout, .upstreamTimeout, .quotaExceeded, .quotaReserved, .notPublished, .overloaded, .busy, .tooOld:
            ExitStatus.temporary
        case .storage: ExitStatus.inputOutput
        case .keyRejected, .forbidden: ExitStatus.noPermission
        case .configuration: ExitStatus.configuration
        default: ExitStatus.software
        }
    }
}
