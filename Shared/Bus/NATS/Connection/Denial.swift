/// What the server does not permit this client.
struct Denial: Sendable, Hashable {
    enum Operation: String, Sendable, CaseIterable {
        case publish = "Publish"
        case subscribe = "Subscription"
    }

    let operation: Operation
    let subject: String

    /// - Parameter text: of the server: `Permissions Violation for Publish to "subject"`.
    /// - Returns: nil for another text, and for a subject that libnats has cut off.
    init?(_ text: String) {
        for operation in Operation.allCases {
            guard let start = text.firstRange(of: "Permissions Violation for \(operation.rawValue) to \"")?.upperBound,
                let end = text[start...].firstIndex(of: "\"")
            else { continue }
            self.operation = operation
            subject = String(text[start..<end])
            return
        }
        return nil
    }
}
