public import Envelope
public import Localization

/// Failures as sentences: what failed and why, what to do, and whether a retry can succeed.
public struct FailureWording: Sendable {
    private let language: Language

    public init(language: Language) {
        self.language = language
    }

    /// - Parameter hint: What to do in the program that shows the failure, as a sentence.
    public func line(_ failure: Failure, hint: LocalizedText? = nil) -> String {
        let hint = hint.map { " \($0(language))" } ?? ""
        // A status of success explains no failure.
        let status = failure.httpStatus.flatMap { 200..<300 ~= $0 ? nil : " [HTTP \($0)]" } ?? ""
        return "\(failure.message(language))\(hint)\(status) (\(failure.code.rawValue), \(retry(failure)))"
    }

    private func retry(_ failure: Failure) -> String {
        failure.isRetryable ? language("재시도 가능", "retry may help") : language("재시도 불필요", "retry is no use")
    }
}
