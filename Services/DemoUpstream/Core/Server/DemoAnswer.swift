/// The answer to a caller, before it becomes an HTTP response.
struct DemoAnswer: Sendable {
    /// The origin of an answer, sent as `X-Demo-Data`: the fetchers label what is not genuine by it.
    enum Origin: String, Sendable {
        case generated
        case recorded
        /// Invented for a film of a recorded chart.
        case derived
        case fault
    }

    static let json = "application/json;charset=utf-8"
    static let text = "text/plain;charset=utf-8"

    var status = 200
    var contentType = json
    var body: [UInt8]
    var origin = Origin.generated
    /// How much of the body is sent before the connection is cut; nil for all of it.
    var cutAfter: Int?
    /// The `Location` of a redirect.
    var location: String?
    /// Whether the connection is closed without an answer.
    var isConnectionClosed = false
}

extension DemoAnswer {
    static func refusal(_ refusal: KakaoRefusal) -> DemoAnswer {
        DemoAnswer(status: refusal.status, body: refusal.body, origin: .fault)
    }

    static func fault(_ fault: KobisRefusal) -> DemoAnswer {
        DemoAnswer(body: fault.body, origin: .fault)
    }

    mutating func redirect(to location: String) {
        status = 302
        self.location = location
        body = []
    }

    static func text(_ text: String, status: Int = 200) -> DemoAnswer {
        DemoAnswer(status: status, contentType: Self.text, body: Array("\(text)\n".utf8))
    }
}
