import ArgumentParser
import BusSettings
import Contracts
import Domain
import Envelope
import MessageBus
import ProcessKit
import ServiceKit

/// Measures a real cache-store: memory hits against empty requests, and many entries written and read.
struct CacheClient: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "cache-client")

    @Option(help: "Round trips of each kind, one in flight.") var requests = 5_000
    @Option(help: "Entries to put and to read back.") var entries = 10_000
    @Option(help: "Bytes of an entry.") var bytes = 6_000
    @Option(help: "Puts and reads under way at a time.") var inFlight = 16
    @Option(help: "Tells the entries of one run from those of another.") var run = 0

    func run() async {
        await ServiceProcess.main { environment in
            let configuration = try BusConfiguration.find(nil, environment, instance: "bench-client/1")
            let line = try await withMessageBus(configuration) { bus in
                let (empty, hit) = try await latencies(bus)
                let puts = try await rate(bus) { try await put($0, over: bus) }
                let reads = try await rate(bus) { try await read($0, over: bus) }
                return #"{"empty":\#(empty),"hit":\#(hit),"putsPerSecond":\#(puts),"readsPerSecond":\#(reads)}"#
            }
            _ = try LineOutput.write(line)
            return ExitStatus.complete
        }
    }

    /// Median microseconds of an empty request to the cache and of a fresh value from its memory, measured alternately.
    private func latencies(_ bus: MessageBus) async throws -> (empty: Int, hit: Int) {
        try await put(0, over: bus)
        var (empty, hit): ([Int], [Int]) = ([], [])
        for number in 0..<requests + 200 {
            let start = ContinuousClock.now
            _ = try await ask(bus, ServiceRequest.pingKind)
            let middle = ContinuousClock.now
            try await read(0, over: bus)
            // The first ones include one-time initialisation.
            guard number >= 200 else { continue }
            empty.append((middle - start).wholeMicroseconds)
            hit.append((ContinuousClock.now - middle).wholeMicroseconds)
        }
        return (empty.sorted()[requests / 2], hit.sorted()[requests / 2])
    }

    private func rate(_ bus: MessageBus, _ work: @Sendable @escaping (Int) async throws -> Void) async throws -> Int {
        let start = ContinuousClock.now
        try await withThrowingTaskGroup(of: Void.self) { group in
            for lane in 0..<inFlight {
                group.addTask(executorPreference: bus.executor) {
                    for number in stride(from: lane, to: entries, by: inFlight) { try await work(number) }
                }
            }
            try await group.waitForAll()
        }
        return Int(Double(entries) / ((ContinuousClock.now - start) / .seconds(1)))
    }

    private func put(_ number: Int, over bus: MessageBus) async throws {
        let put = CachePutRequest(
            key: key(number), lease: nil, freshFor: 3_600, attributes: [:], holder: "bench-client/1",
            ageMilliseconds: 0)
        let reply = try await ask(bus, CachePutRequest.kind, JSONBytes.encode(put), attachments: [value(number)])
        guard try JSONBytes.decode(CachePutReply.self, from: reply.payload).isStored else {
            throw Wrong(key: key(number))
        }
    }

    private func read(_ number: Int, over bus: MessageBus) async throws {
        let peek = try JSONBytes.encode(CachePeekRequest(keys: [key(number)]))
        let reply = try await ask(bus, CachePeekRequest.kind, peek)
        guard reply.attachments == [value(number)] else { throw Wrong(key: key(number)) }
    }

    private func key(_ number: Int) -> String { "movie.detail?code=\(run)-\(number)" }

    private func value(_ number: Int) -> [UInt8] { [UInt8](repeating: UInt8(truncatingIfNeeded: number), count: bytes) }

    private func ask(
        _ bus: MessageBus, _ kind: String, _ payload: [UInt8] = [], attachments: [[UInt8]] = []
    ) async throws -> Envelope {
        let request = BusRequest(
            service: ServiceName.cacheStore, kind: kind, trace: .root(), payload: payload, attachments: attachments)
        return try await bus.request(request, deadline: .now + .seconds(30)).envelope
    }

    private struct Wrong: Error {
        let key: String
    }
}
