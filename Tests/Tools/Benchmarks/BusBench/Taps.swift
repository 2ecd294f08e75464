import ArgumentParser
import BusSettings
import Envelope
import MessageBus
import ProcessKit
import ServiceKit

/// Taps that join one after another while a talker publishes; each reports whether it saw every event once, in order.
struct Taps: AsyncParsableCommand {
    @Option(help: "Taps in all.") var count = 50
    @Option(help: "Events that the talker will publish.") var events = 50_000

    private struct Seen {
        var first: Int?
        var last: Int?
        var lost = 0
        var disorder = 0
    }

    func run() async {
        await ServiceProcess.main { environment in
            let configuration = try BusConfiguration.find(nil, environment, instance: "bench-taps/1")
            let seen = try await withMessageBus(configuration) { bus in
                let pace = try await bus.subscribe()
                _ = try LineOutput.write("ready")
                let seen = try await join(bus, at: pace)
                await pace.close()
                return seen
            }
            let complete = seen.count { $0.lost == 0 && $0.disorder == 0 && $0.last == events - 1 }
            let lost = seen.reduce(0) { $0 + $1.lost }
            let firsts = seen.compactMap(\.first)
            _ = try LineOutput.write(
                #"{"taps":\#(seen.count),"complete":\#(complete),"lost":\#(lost),"firstJoin":\#(firsts.min() ?? -1),"lastJoin":\#(firsts.max() ?? -1)}"#
            )
            return ExitStatus.complete
        }
    }

    /// Adds a tap at equal distances of the stream.
    private func join(_ bus: MessageBus, at pace: any EventStream) async throws -> [Seen] {
        try await withThrowingTaskGroup(of: Seen.self) { group in
            var joined = 0
            while joined < count, let (event, _) = try await pace.next() {
                guard let number = event.event.number, number >= joined * events / (count + 10) else { continue }
                joined += 1
                group.addTask(executorPreference: bus.executor) { try await watch(bus) }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
    }

    private func watch(_ bus: MessageBus) async throws -> Seen {
        let stream = try await bus.subscribe()
        var seen = Seen()
        while seen.last != events - 1, let (event, lost) = try await stream.next() {
            seen.lost += lost
            guard let number = event.event.number else { continue }
            if let last = seen.last, number != last + 1 { seen.disorder += 1 }
            if seen.first == nil { seen.first = number }
            seen.last = number
        }
        await stream.close()
        return seen
    }
}

extension Event {
    fileprivate var number: Int? {
        guard kind == Talker.kind, case .number(let number) = attributes["number"] else { return nil }
        return number
    }
}
