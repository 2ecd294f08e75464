import Envelope
import MessageBus

extension Event {
    static func numbered(_ number: Int) -> Event {
        Event(at: 0, kind: "test.numbered", source: "talker/1", attributes: ["number": .number(number)])
    }

    var number: Int? {
        if case .number(let number) = attributes["number"], kind == "test.numbered" { number } else { nil }
    }
}

extension EventStream {
    func skip(toNumber number: Int) async throws {
        while let (event, _) = try await next(), event.event.number != number {}
    }
}
