package import Envelope
package import MessageBus

extension Event {
    package static func numbered(_ number: Int) -> Event {
        Event(at: 0, kind: "test.numbered", source: "talker/1", attributes: ["number": .number(number)])
    }

    package var number: Int? {
        if case .number(let number) = attributes["number"], kind == "test.numbered" { number } else { nil }
    }
}

extension EventStream {
    package func skip(toNumber number: Int) async throws {
        while let (event, _) = try await next(), event.event.number != number {}
    }
}

extension MessageBus {
    /// The numbers of the stored events, as far as the one with the number `last`.
    package func numbers(upTo last: Int) async throws -> [Int] {
        var numbers: [Int] = []
        let stream = try await subscribe(last: 10_000)
        while numbers.last != last, let (event, _) = try await stream.next() {
            if let number = event.event.number { numbers.append(number) }
        }
        await stream.close()
        return numbers
    }
}
