import Envelope
import ServiceKit

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
        let hundredths = (microseconds ?? 0) / 10
        let digits = String(hundredths % 100)
        return "\(name.printable)  \(hundredths / 100).\(digits.count == 1 ? "0" : "")\(digits) ms"
    }
}
