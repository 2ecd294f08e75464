import Contracts
import Envelope
import Foundation
import Localization
import TerminalText
import TestSupport
import Testing

@testable import GatewayCore

@Suite struct FailureTextTests {
    /// Every code that there is, by product.md section 2.
    private static let exitStatuses: [(FailureCode, Int32)] = [
        (.upstreamMalformed, 65), (.requestRefused, 65), (.upstreamFault, 65), (.unreadable, 65),
        (.notFound, 66), (.empty, 66), (.noHits, 66), (.unknownQuery, 66), (.notStored, 66),
        (.unavailable, 69), (.brokerLost, 69), (.workerLost, 69), (.upstreamUnavailable, 69),
        (.upstreamUnreachable, 69), (.storage, 74), (.upstreamHTTP, 69), (.noImage, 69),
        (.imageUnreachable, 69), (.addressRefused, 65),
        (.internal, 70), (.malformed, 70), (.tooLarge, 70), (.unsupportedVersion, 70),
        (.timeout, 75), (.upstreamTimeout, 75), (.quotaExceeded, 75), (.notPublished, 75), (.overloaded, 75),
        (.busy, 75), (.tooOld, 75),
        (.keyRejected, 77), (.configuration, 78),
    ]

    @Test(arguments: exitStatuses)
    func `each failure ends the program with its own code`(code: FailureCode, exitStatus: Int32) {
        #expect(FailureText.exitStatus(code) == exitStatus)
        let failure = Failure(code, LocalizedText(ko: "가", en: "b"), isRetryable: false)
        #expect(Samples.presentation().failed(failure).exitStatus == exitStatus)
    }

    @Test func `no code of the sources is forgotten here`() throws {
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let files = ["Shared/Envelope/Failure.swift", "Shared/Contracts/FailureCode+boxoffice.swift"]
        let source = try files.map { try String(contentsOf: root.appending(path: $0), encoding: .utf8) }.joined()
        let declared = source.matches(of: /FailureCode\(rawValue: "([a-z_]+)"\)/).map { String($0.1) }
        #expect(declared.sorted() == Self.exitStatuses.map(\.0.rawValue).sorted())
    }

    @Test func `a code of tomorrow is a defect of ours until we know it`() {
        #expect(FailureText.exitStatus(FailureCode(rawValue: "a_code_of_tomorrow")) == 70)
    }

    @Test(
        arguments: [
            (Language.ko, true, nil, "가득 찼습니다. (busy, 재시도 가능)"),
            (.ko, false, 404, "가득 찼습니다. [HTTP 404] (busy, 재시도 불필요)"),
            (.en, true, 503, "It is full. [HTTP 503] (busy, retry may help)"),
            (.en, false, nil, "It is full. (busy, retry is no use)"),
        ] as [(Language, Bool, Int?, String)])
    func `a failure says what, its code, and whether trying again helps`(
        language: Language, isRetryable: Bool, httpStatus: Int?, text: String
    ) {
        let failure = Failure(
            .busy, LocalizedText(ko: "가득 찼습니다.", en: "It is full."), isRetryable: isRetryable, httpStatus: httpStatus)
        #expect(FailureText(language: language).line(failure) == text)
    }
}
