import Envelope
import EventLog
import EventText
import Localization
import Majordomo
import MajordomoBus
import MessageBus
import ProcessKit
import TerminalText
import TestSupport
import Testing
import ZeroMQ

@testable import TapCore

@Suite(.timeLimit(.minutes(1))) struct LostEventTests {
    /// A relay between the event stream of the broker and the tap drops one event.
    @Test func `a dropped event is reported as exactly one gap`() async throws {
        try await BusScene.run { scene in
            try await scene.withBroker {
                try await withContext { context in
                    try await withThrowingTaskGroup(of: Void.self) { group in
                        let relay = try await EventRelay(
                            from: scene.endpoints.events, to: "ipc://\(scene.folder)/relay.ipc", in: context)
                        group.addTask { try await relay.run(dropping: "test.dropped") }
                        let lines = try await Self.lines(of: scene, events: "ipc://\(scene.folder)/relay.ipc")
                        group.cancelAll()
                        await relay.close()
                        let own = lines.filter { $0.contains("test.") || $0.hasPrefix("lost") }
                        #expect(
                            own.map { $0.hasPrefix("lost") ? $0 : String($0.suffix(1)) } == ["1", "lost 1", "3", "4"])
                    }
                }
            }
        }
    }

    /// The output of a tap for four events, of which the relay drops the second.
    private static func lines(of scene: BusScene, events: String) async throws -> [String] {
        let endpoints = BrokerEndpoints(
            requests: scene.endpoints.requests, eventsIn: scene.endpoints.eventsIn, events: events)
        let transport = MajordomoConfiguration(endpoints: endpoints)
        return try await withMessageBus(BusConfiguration(transport, instance: "tap/1")) { bus in
            let (printed, printedLines) = AsyncStream.makeStream(of: String.self)
            return await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask {
                    var view = EventView(EventSelection(), isJSON: false, EventFormat(.en))
                    try await Tap(bus: bus).run(TapRequest(), &view) { line in
                        printedLines.yield(line)
                        return !line.hasSuffix("number=4")
                    }
                    printedLines.finish()
                }
                // The tap is subscribed once it prints this event; until then the event is repeated.
                group.addTask {
                    while !Task.isCancelled {
                        bus.publish(Event(at: 0, kind: "hello", source: "talker/1"))
                        try await bus.ping(deadline: .now + .seconds(5))
                    }
                }
                var lines: [String] = []
                for await line in printed {
                    if lines.isEmpty {
                        for (number, kind) in [(1, "test.a"), (2, "test.dropped"), (3, "test.b"), (4, "test.c")] {
                            bus.publish(
                                Event(at: 0, kind: kind, source: "talker/1", attributes: ["number": .number(number)]))
                        }
                    }
                    lines.append(line)
                }
                group.cancelAll()
                try? await group.waitForAll()
                return lines
            }
        }
    }
}
