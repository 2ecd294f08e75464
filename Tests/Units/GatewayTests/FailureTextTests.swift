import Contracts
import Envelope
import Foundation
import Localization
import TerminalText
import TestSupport
import Testing

@testable import GatewayCore

@Suite struct FailureTextTests {
    /// Every failure code with its exit code.
    private static let exitStatuses: [(FailureCode, Int32)] = [
        (.upstreamMalformed, 65), (.requestRefused, 65), (.upstreamFault, 65), (.unreadable, 65),
        (.notFound, 66), (.empty, 66), (.noHits, 66), (.unknownQuery, 66), (.notStored, 66),
        (.unavailable, 69), (.brokerLost, 69), (.workerLost, 69), (.upstreamUnavailable, 69),
        (.upstreamUnreachable, 69), (.storage, 74), (.upstreamHTTP, 69), (.noImage, 69),
        (.imageUnreachable, 69), (.addressRefused, 65),
        (.internal, 70), (.malformed, 70), (.tooLarge, 70), (.unsupportedVersion, 70),
        (.timeout, 75), (.upstreamTimeout, 75), (.quotaExceeded, 75), (.quotaReserved, 75), (.notPublished, 75),
        (.overloaded, 75),
        (.busy, 75), (.tooOld, 75),
        (.keyRejected, 77), (.forbidden, 77), (.configuration, 78),
    ]

    @Test(arguments: exitStatuses)
    func `each failure has its own exit code`(code: FailureCode, exitStatus: Int32) {
        #expect(FailureText.exitStatus(code) == exitStatus)
        let failure = Failure(code, LocalizedText(ko: "가", en: "b"), isRetryable: false)
        #expect(Samples.presentation().failure(failure).exitStatus == exitStatus)
    }

    @Test func `every failure code of the sources has an exit code here`() throws {
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
        let files = ["Shared/Bus/Envelope/Failure.swift", "Shared/BoxOffice/Contracts/FailureCode+boxoffice.swift"]
        let source = try files.map { try String(contentsOf: root.appending(path: $0), encoding: .utf8) }.joined()
        let declared = source.matches(of: /FailureCode\(rawValue: "([a-z_]+)"\)/).map { String($0.1) }
        #expect(declared.sorted() == Self.exitStatuses.map(\.0.rawValue).sorted())
    }

    @Test func `an unknown failure code exits as an internal error`() {
        #expect(FailureText.exitStatus(FailureCode(rawValue: "a_code_of_tomorrow")) == 70)
    }

    @Test(
        arguments: [
            (Language.ko, true, nil, "가득 찼습니다. 잠시 뒤에 다시 시도하세요."),
            (.ko, false, 404, "가득 찼습니다. [HTTP 404]"),
            (.en, true, 503, "It is full. [HTTP 503] Try again in a moment."),
            (.en, false, nil, "It is full."),
        ] as [(Language, Bool, Int?, String)])
    func `a failure line states the problem and what to do`(
        language: Language, isRetryable: Bool, httpStatus: Int?, text: String
    ) {
        let failure = Failure(
            .busy, LocalizedText(ko: "가득 찼습니다.", en: "It is full."), isRetryable: isRetryable, httpStatus: httpStatus)
        #expect(FailureText(language: language).line(failure) == text)
    }
}
