import Envelope
import MajordomoBus
import MessageBus
import Synchronization
import Testing

extension ProcessTests.LifecycleTests {
    /// Our clients and workers at a broker that implements one RFC and none of our extensions.
    @Suite struct PlainBrokerTests {
        typealias Version = MajordomoConfiguration.ProtocolVersion
        private static let options = BusWorkerOptions(service: "echo", capacity: 4)

        @Test(arguments: Version.allCases)
        func `requests are answered one at a time`(_ version: Version) async throws {
            let gauge = Gauge()
            try await PlainBroker.inFolder(version) { broker in
                try await broker.running {
                    try await withThrowingTaskGroup { group in
                        group.addTask {
                            try await broker.bus("echo/1") { bus in
                                try await bus.serveEcho(bus.worker(Self.options), working: gauge.change)
                            }
                        }
                        try await broker.bus("client/1") { bus in
                            try await withThrowingTaskGroup { asking in
                                for number in 0..<20 {
                                    asking.addTask { (number, try await bus.echo("말 \(number)")) }
                                }
                                for try await (number, answer) in asking { #expect(answer == "말 \(number)") }
                            }
                        }
                        group.cancelAll()
                    }
                }
            }
            #expect(gauge.most == 1)
        }

        /// A lenient broker ignores the options that it does not know, and registers the worker at once.
        @Test func `falling back to a plain registration loses no request`() async throws {
            try await PlainBroker.inFolder(.v02) { broker in
                try await broker.running("--lenient") {
                    try await withThrowingTaskGroup { group in
                        group.addTask {
                            try await broker.bus("echo/1") { try await $0.serveEcho($0.worker(Self.options)) }
                        }
                        try await broker.bus("client/1") { bus in
                            let start = ContinuousClock.now
                            // The worker falls back after one second; its lost registration would hold requests for
                            // three plain intervals.
                            while .now - start < .seconds(2) {
                                let answer = try await bus.echo("here?", within: .seconds(5))
                                #expect(answer == "here?")
                            }
                        }
                        group.cancelAll()
                    }
                }
            }
        }

        @Test(arguments: Version.allCases)
        func `a drained worker leaves and the next one serves`(_ version: Version) async throws {
            try await PlainBroker.inFolder(version) { broker in
                try await broker.running {
                    try await broker.bus("client/1") { client in
                        for round in ["first", "second"] {
                            try await broker.bus("echo/\(round)") { bus in
                                let worker = bus.worker(Self.options)
                                async let serving: Void = bus.serveEcho(worker)
                                let answer = try await client.echo(round)
                                #expect(answer == round)
                                worker.drain()
                                try await serving
                            }
                        }
                    }
                }
            }
        }

        @Test(arguments: Version.allCases)
        func `a restarted broker serves as before`(_ version: Version) async throws {
            try await PlainBroker.inFolder(version) { broker in
                try await withThrowingTaskGroup { group in
                    group.addTask {
                        try await broker.bus("echo/1") { try await $0.serveEcho($0.worker(Self.options)) }
                    }
                    try await broker.bus("client/1") { bus in
                        for round in ["first", "second"] {
                            let answer = try await broker.running { try await bus.echo(round) }
                            #expect(answer == round)
                        }
                    }
                    group.cancelAll()
                }
            }
        }

        @Test(arguments: ["gateway", "tap"])
        func `an unknown version ends a program with a message that names it`(_ program: String) async throws {
            try await TestStack.inRunFolder { stack in
                let arguments = program == "gateway" ? ["ping"] : ["--count", "1"]
                var command = try stack.command(Repository.binaries + "/" + program, arguments)
                command.environment["BOXOFFICE_PROTOCOL"] = "0.3"
                let result = try await command.run()
                #expect(result.status == 78, "\(result)")
                #expect(result.errors.contains("BOXOFFICE_PROTOCOL=0.3") && result.output.isEmpty, "\(result)")
            }
        }

        @Test(arguments: Version.allCases)
        func `a request without an answer ends at its deadline`(_ version: Version) async throws {
            try await PlainBroker.inFolder(version) { broker in
                try await broker.running {
                    try await broker.bus("client/1") { bus in
                        let failure = await #expect(throws: Failure.self) {
                            try await bus.echo("anybody?", within: .milliseconds(300))
                        }
                        #expect(failure?.code == .timeout, "a plain broker refuses nothing")
                    }
                }
            }
        }
    }
}

/// How many requests are in progress, and the maximum so far.
private final class Gauge: Sendable {
    private let counts = Mutex((now: 0, most: 0))

    var most: Int { counts.withLock { $0.most } }

    @Sendable func change(_ difference: Int) {
        counts.withLock {
            $0.now += difference
            $0.most = max($0.most, $0.now)
        }
    }
}
