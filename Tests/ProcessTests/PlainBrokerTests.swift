import Envelope
import MessageBus
import Synchronization
import Testing

extension ProcessTests.LifecycleTests {
    /// Our clients and workers at a broker that keeps one RFC and knows nothing of ours.
    @Suite struct PlainBrokerTests {
        typealias Version = BusConfiguration.ProtocolVersion
        private static let options = BusWorkerOptions(service: "echo", capacity: 4)

        @Test(arguments: Version.allCases)
        func requestsAreAnsweredOneAtATime(_ version: Version) async throws {
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

        /// A lenient broker takes the options that it does not know for nothing, and registers the worker at once.
        @Test func fallingBackToAPlainRegistrationLosesNoRequest() async throws {
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
        func aDrainedWorkerLeavesAndTheNextOneServes(_ version: Version) async throws {
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
        func aBrokerThatComesBackServesAsBefore(_ version: Version) async throws {
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
        func anUnknownVersionEndsAProgramByName(_ program: String) async throws {
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
        func whatNobodyAnswersEndsAtItsDeadline(_ version: Version) async throws {
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

/// How many are at work, and how many were at most.
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
