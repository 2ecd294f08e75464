import Testing

extension ProcessTests.LifecycleTests {
    /// A short run of `Tests/Tools/Chaos/chaos`: processes are killed, stopped and restarted at random under load.
    @Suite struct ChaosTests {
        @Test(arguments: [[], ["--nats"]])
        func `each request gets one correct answer within its deadline`(bus: [String]) async throws {
            // Debug builds beside other lanes on two cores need fewer people, and more than the default deadline of 5 s.
            let options = ["--seconds", "10", "--seed", "1", "--askers", "2", "--deadline", "15"]
            let chaos = try await Command(
                path: Repository.root + "/Tests/Tools/Chaos/chaos",
                arguments: options + ["--bin", Repository.binaries] + bus
            ).run()
            #expect(chaos.status == 0 && chaos.errors.isEmpty, "\(chaos)")
            #expect(chaos.output.contains("It holds."))
        }

        @Test(
            arguments: [(["--seconds", "0"], 64), (["--askers", "x"], 64), (["--bin", "/nowhere"], 69)]
                as [([String], Int32)])
        func `impossible options are refused`(arguments: [String], status: Int32) async throws {
            let chaos = try await Command(path: Repository.root + "/Tests/Tools/Chaos/chaos", arguments: arguments)
                .run()
            #expect(chaos.status == status && !chaos.errors.isEmpty && chaos.output.isEmpty, "\(chaos)")
        }
    }
}
