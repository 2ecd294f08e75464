import Envelope
import Localization
import ProcessKit
import TerminalText

/// Who answered a ping and how fast, or why nobody did.
struct Pong: Encodable {
    let name: String
    let microseconds: Int?
    let failure: Failure?

    init(name: String, microseconds: Int? = nil, failure: Failure? = nil) {
        self.name = name
        self.microseconds = microseconds
        self.failure = failure
    }

    func text(_ language: Language) -> String {
        if let failure { return "\(name.printable)  \(FailureText(language: language).line(failure))" }
        return "\(name.printable)  \((microseconds ?? 0).milliseconds) ms"
    }
}

extension Int {
    /// So many microseconds in milliseconds, to the hundredth: "1.20".
    var milliseconds: String {
        let hundredths = self / 10
        let digits = String(hundredths % 100)
        return "\((hundredths / 100).withSeparators).\(digits.count == 1 ? "0" : "")\(digits)"
    }
}
