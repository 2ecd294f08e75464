import ArgumentParser
import BusSettings
import Envelope
import MessageBus
import ProcessKit
import ServiceKit

/// Publishes numbered events at an even rate.
struct Talker: AsyncParsableCommand {
    @Option(help: "Events a second.") var perSecond = 5000
    @Option(help: "Events in all.") var events = 50_000

    /// The kind of the numbered events.
    static let kind = "bench.numbered"

    func run() async {
        await ServiceProcess.main { environment in
            let configuration = try BusConfiguration.find(nil, environment, instance: "bench-talker/1")
            let (took, dropped) = try await withMessageBus(configuration) { bus in
                // A request to the broker ensures that the connection is open.
                try await bus.ping(deadline: .now + .seconds(10))
                let start = ContinuousClock.now
                for number in 0..<events {
                    // Publishes at a steady rate: every millisecond, all events that are due.
                    if number.isMultiple(of: max(1, perSecond / 1000)) {
                        try await Task.sleep(until: start + .seconds(1) * number / perSecond, clock: .continuous)
                    }
                    bus.publish(
                        Event(
                            at: WallClock.system.microseconds, kind: Self.kind, source: "bench-talker/1",
                            attributes: ["number": .number(number)]))
                }
                return (ContinuousClock.now - start, bus.droppedEvents)
            }
            let rate = Int(Double(events) / (took / .seconds(1)))
            _ = try LineOutput.write(#"{"perSecond":\#(rate),"dropped":\#(dropped)}"#)
            return ExitStatus.complete
        }
    }
}
