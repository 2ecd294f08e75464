import Contracts
import Envelope
import Localization
import ProcessKit
import Wording

/// A failure as this program prints it: one line with a hint at its options, and an exit code.
struct FailureText {
    let language: Language

    func line(_ failure: Failure) -> String {
        FailureWording(language: language).line(failure, hint: Self.hint(failure.code)).printable
    }

    /// The option of this program that helps.
    private static func hint(_ code: FailureCode) -> LocalizedText? {
        switch code {
        case .notStored: LocalizedText(ko: "--offline 없이 물어보세요.", en: "Ask without --offline.")
        case .tooOld:
            LocalizedText(ko: "--max-stale을 늘리거나 빼세요.", en: "Allow more by --max-stale, or leave it out.")
        case .unreadable: LocalizedText(ko: "--refresh로 새로 받으세요.", en: "Fetch it anew with --refresh.")
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
