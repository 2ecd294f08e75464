import ArgumentParser
import BusSettings
import Envelope
import MessageBus
import ProcessKit
import ServiceKit

struct Client: AsyncParsableCommand {
    @Option(help: "Requests under way at a time.") var inFlight = 1
    @Option(help: "Requests in all.") var requests = 10_000
    @Option(help: "Bytes of the payload.") var bytes = 200

    func run() async {
        await ServiceProcess.main { environment in
            let configuration = try BusConfiguration.find(nil, environment, instance: "bench-client/1")
            let (times, took) = try await withMessageBus(configuration) { bus in
                // One-time initialisation happens before the clock starts.
                _ = try await roundTrips(on: bus, count: 200)
                let start = ContinuousClock.now
                let times = try await measure(on: bus)
                return (times, ContinuousClock.now - start)
            }
            let sorted = times.sorted()
            let perSecond = Int(Double(sorted.count) / (took / .seconds(1)))
            _ = try LineOutput.write(
                #"{"p50":\#(sorted[sorted.count / 2]),"p99":\#(sorted[sorted.count * 99 / 100]),"perSecond":\#(perSecond)}"#
            )
            return ExitStatus.complete
        }
    }

    private func measure(on bus: MessageBus) async throws -> [Int] {
        try await withThrowingTaskGroup(of: [Int].self) { group in
            for _ in 0..<inFlight {
                group.addTask(executorPreference: bus.executor) {
                    try await roundTrips(on: bus, count: requests / inFlight)
                }
            }
            return try await group.reduce(into: []) { $0 += $1 }
        }
    }

    /// Microseconds of each round trip, one after another.
    private func roundTrips(on bus: MessageBus, count: Int) async throws -> [Int] {
        let payload = [UInt8](repeating: 7, count: bytes)
        var times: [Int] = []
        for _ in 0..<count {
            let request = BusRequest(service: BusBench.service, kind: "bench.echo", trace: .root(), payload: payload)
            let reply = try await bus.request(request, deadline: .now + .seconds(10))
            times.append(reply.took.wholeMicroseconds)
        }
        return times
    }
}
