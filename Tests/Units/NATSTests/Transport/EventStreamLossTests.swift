import Envelope
import Foundation
import MessageBus
import TestSupport
import Testing

@testable import NATS

/// The stream of events on NATS, which the servers may lose while everybody stays connected, or be without.
@Suite(.timeLimit(.minutes(1))) struct EventStreamLossTests {
    @Test func `a publisher makes a lost stream again, and loses no event`() async throws {
        try await BusScene.run(.nats) { scene in
            try await scene.withBroker {
                try await scene.withBus("test/1") { (bus) async throws in
                    let stream = try await bus.subscribe()
                    bus.publish(.numbered(0))
                    #expect(try await stream.next()?.0.event.number == 0)
                    // A reader would make it, too.
                    await stream.close()
                    try await withAdministrator(of: scene.address) { connection in
                        #expect(try await connection.askStream("DELETE").contains(#""success":true"#))
                        for number in 1...5 { bus.publish(.numbered(number)) }
                        while try await connection.askStream("INFO").contains(#""code":404"#) {}
                    }
                    #expect(try await bus.numbers(upTo: 5) == Array(1...5))
                    #expect(bus.droppedEvents == 0)
                }
            }
        }
    }

    @Test func `events are sent until the stream stores them`() async throws {
        try await NATSServer.run { server in
            try await server.start(hasJetStream: true)
            var timing = OutboxTiming()
            timing.silence = .milliseconds(50)
            try await server.withBus(timing) { bus in
                try await bus.subscribe().close()
                try await withAdministrator(of: server.url) { connection in
                    try await connection.setStream("subjects", to: ["elsewhere.>"])
                    let (attempts, arrival) = AsyncStream.makeStream(of: Void.self)
                    _ = try await connection.subscribe(Subjects.events) { _ in arrival.yield() }
                    #expect(await connection.makeRoundTrip(until: .now + .seconds(10)))
                    bus.publish(.numbered(1))
                    // Twice in vain.
                    var attempt = attempts.makeAsyncIterator()
                    for _ in 1...2 { await attempt.next() }
                    for number in 2...3 { bus.publish(.numbered(number)) }
                    try await connection.setStream("subjects", to: [Subjects.events])
                }
                #expect(try await bus.numbers(upTo: 3) == [1, 2, 3])
                #expect(bus.droppedEvents == 0)
            }
        }
    }

    @Test func `an event that is sent again and again is stored once`() async throws {
        try await NATSServer.run { server in
            try await server.start(hasJetStream: true)
            var timing = OutboxTiming()
            timing.silence = .milliseconds(20)
            try await server.withBus(timing) { bus in
                try await bus.subscribe().close()
                try await withAdministrator(of: server.url) { connection in
                    let (attempts, arrival) = AsyncStream.makeStream(of: Void.self)
                    _ = try await connection.subscribe(Subjects.events) { _ in arrival.yield() }
                    #expect(await connection.makeRoundTrip(until: .now + .seconds(10)))
                    server.suspend()
                    // It stops a moment after the signal.
                    while (try? await bus.ping(deadline: .now + .milliseconds(150))) != nil {}
                    for number in 1...20 { bus.publish(.numbered(number)) }
                    // The second begins when the events are sent, and ends when their silence is over.
                    for _ in 1...2 {
                        await #expect(throws: Failure.self) { try await bus.ping(deadline: .now + .milliseconds(150)) }
                    }
                    server.signal(SIGCONT)
                    #expect(try await bus.numbers(upTo: 20) == Array(1...20))
                    // Repetitions that were stored would come before the last one.
                    bus.publish(.numbered(21))
                    #expect(try await bus.numbers(upTo: 21) == Array(1...21))
                    #expect(await connection.makeRoundTrip(until: .now + .seconds(10)))
                    arrival.finish()
                    #expect(await attempts.reduce(0) { count, _ in count + 1 } > 21)
                }
                #expect(bus.droppedEvents == 0)
            }
        }
    }

    @Test func `a stream that has lost its last events goes on, and a reader repeats none`() async throws {
        try await NATSServer.run { server in
            try await server.start(hasJetStream: true)
            try await server.withBus { bus in
                let stream = try await bus.subscribe()
                func wait(for wanted: ConnectionChange) async throws {
                    while true {
                        let arrival = try await stream.next(until: .now + .seconds(30))
                        if case .connection(let change) = arrival, change == wanted { return }
                    }
                }
                func restart(_ change: () throws -> Void) async throws {
                    server.signal(SIGTERM)
                    try await wait(for: .lost)
                    while server.isRunning { await Task.yield() }
                    try change()
                    try await server.start(hasJetStream: true)
                    try await wait(for: .restored(missed: 0))
                }
                func expect(_ numbers: Int...) async throws {
                    for number in numbers { bus.publish(.numbered(number)) }
                    for number in numbers {
                        let arrival = try await stream.next()
                        #expect(arrival?.0.event.number == number && arrival?.lost == 0)
                    }
                }
                let (files, copy) = (server.folder + "/jetstream", server.folder + "/copy")
                try await expect(1, 2, 3)
                try await restart { try FileManager.default.copyItem(atPath: files, toPath: copy) }
                try await expect(4, 5)
                try await restart {
                    try FileManager.default.removeItem(atPath: files)
                    try FileManager.default.moveItem(atPath: copy, toPath: files)
                }
                // The sequences of 4 and 5 are used again.
                try await expect(6)
                await stream.close()
            }
        }
    }

    @Test func `a process that ends sends what it has published`() async throws {
        try await NATSServer.run { server in
            try await server.start(hasJetStream: true)
            try await server.withBus { bus in
                try await bus.subscribe().close()
                try await server.withBus { ending in
                    try await ending.ping(deadline: .now + .seconds(10))
                    for number in 1...1000 { ending.publish(.numbered(number)) }
                }
                #expect(try await bus.numbers(upTo: 1000) == Array(1...1000))
            }
        }
    }

    @Test func `an event that the stream refuses is counted, and the next one stored`() async throws {
        try await NATSServer.run { server in
            try await server.start(hasJetStream: true)
            try await server.withBus { bus in
                try await bus.subscribe().close()
                try await withAdministrator(of: server.url) { try await $0.setStream("max_msg_size", to: 1000) }
                // The first is too large for this stream, the second for each.
                for count in [2000, 65 << 10] {
                    bus.publish(Event(at: 1, kind: String(repeating: "k", count: count), source: "test/1"))
                }
                bus.publish(.numbered(1))
                #expect(try await bus.numbers(upTo: 1) == [1])
                #expect(bus.droppedEvents == 2)
            }
        }
    }

    @Test func `events that are given up do not hold back later ones`() async throws {
        try await NATSServer.run { server in
            try await server.start(hasJetStream: true)
            var timing = OutboxTiming()
            (timing.silence, timing.lifetime) = (.milliseconds(50), .milliseconds(200))
            try await server.withBus(timing) { bus in
                try await bus.subscribe().close()
                try await withAdministrator(of: server.url) { connection in
                    try await connection.setStream("subjects", to: ["elsewhere.>"])
                    bus.publish(.numbered(1))
                    try await bus.ping(deadline: .now + .seconds(10))
                    bus.publish(.numbered(2))
                    while bus.droppedEvents < 2 { try await bus.ping(deadline: .now + .seconds(10)) }
                    try await connection.setStream("subjects", to: [Subjects.events])
                    bus.publish(.numbered(3))
                }
                #expect(try await bus.numbers(upTo: 3) == [3])
            }
        }
    }
}
