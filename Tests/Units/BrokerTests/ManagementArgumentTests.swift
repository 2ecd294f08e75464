import Envelope
import TestSupport
import Testing

@testable import MajordomoBus
@testable import MessageBus

/// Every `mmi.*` service of a real broker, with arbitrary arguments.
@Suite(.timeLimit(.minutes(1))) struct ManagementArgumentTests {
    /// Events in the ring before the requests; the ring keeps 10,000.
    enum RingState: Int, CaseIterable {
        case empty = 0
        case one = 1
        case full = 10_000
        case wrapped = 10_033
    }

    private static let services = [
        "ping", "info", "service", "services", "workers", "stats", "events", "cancel", "", "nothing",
    ].map { "mmi.\($0)" }

    private static let arguments: [[[UInt8]]] =
        [
            "", "0", "1", "2", "9999", "10000", "10001", "10033", "10034", "-1", "+1", "0x10", "1e3", " 1", "1 ", "١",
            "9223372036854775807", "9223372036854775808", "18446744073709551614", "18446744073709551615",
            "18446744073709551616", "\0", "mmi.events", "echo", String(repeating: "9", count: 100_000),
        ].map { [Array($0.utf8)] } + [
            [], [[0xFF, 0xFE]], [[UInt8](repeating: 0, count: 16)], [[UInt8](repeating: 0xFF, count: 16)],
            [[UInt8](repeating: 0, count: 15)], [[], []], Array(repeating: Array("0".utf8), count: 40),
        ]

    @Test("Any argument is answered, whatever the event ring holds", arguments: RingState.allCases)
    func everyArgumentIsAnswered(state: RingState) async throws {
        try await BusScene.run { scene in
            try await scene.withBroker {
                try await scene.withBus("client/1") { bus in
                    try await Self.fill(bus, state.rawValue)
                    for service in Self.services {
                        for arguments in Self.arguments {
                            let reply = try await #require(bus.transport as? MajordomoTransport).inspect(
                                service, arguments, deadline: .now + .seconds(20))
                            #expect(["200", "404", "501"].contains(reply.status), "\(service) \(arguments)")
                        }
                    }
                    let head = try await Self.head(bus)
                    #expect(head.sequence == UInt64(state.rawValue))
                }
            }
        }
    }

    private static func fill(_ bus: MessageBus, _ count: Int) async throws {
        for number in 0..<count {
            bus.publish(Event(at: 0, kind: "test.number", source: "test/1", attributes: ["number": .number(number)]))
            // Events published faster than they are sent would be dropped.
            if number % 500 == 499 { while try await head(bus).sequence <= number { await Task.yield() } }
        }
        while try await head(bus).sequence < count { await Task.yield() }
    }

    private static func head(_ bus: MessageBus) async throws -> EventStamp {
        let newest = [Array(String(UInt64.max).utf8)]
        let reply = try await #require(bus.transport as? MajordomoTransport).inspect(
            "mmi.events", newest, deadline: .now + .seconds(20))
        return try #require(reply.frames.first.flatMap(EventStamp.init))
    }
}
