import TestSupport

#if os(Linux)
    import Foundation
    import Testing

    extension ProcessTests.LifecycleTests {
        /// A machine whose clock is wrong, and is changed while the stack runs.
        @Suite struct WrongClockTests {
            @Test(arguments: [[], ["--nats"]])
            func `entries from a fast clock are fetched again, and clock steps do no harm`(bus: [String]) async throws {
                try await TestStack.inRunFolder { stack in
                    let clock = stack.runFolder + "/clock"
                    func set(_ offset: String) throws { try Data(offset.utf8).write(to: URL(fileURLWithPath: clock)) }
                    try set("+400d")
                    let programs = try await Self.makePrograms(
                        in: stack.runFolder + "/bin", clock: clock, broker: bus.isEmpty)
                    try await stack.up(["--bin", programs] + bus)
                    let before = try await stack.processes().pids
                    func show() async throws -> (answer: ChartAnswer, calls: Int) {
                        var answer: ChartAnswer?
                        let calls = try await stack.upstream.calls {
                            answer = try await stack.json("show", "2014-05-05")
                        }
                        return (try #require(answer), calls.values.reduce(0, +))
                    }

                    let first = try await show()
                    #expect(first.answer.complete && first.calls > 1)
                    // After the correction the age of no part is known, so that each is fetched once more and stored.
                    try set("+0")
                    let right = try await show()
                    #expect(right.answer.complete && right.calls == first.calls, "\(right)")
                    let again = try await show()
                    #expect(again.answer.complete && again.calls == 0, "\(again)")
                    // Steps of hours, forwards and backwards.
                    for offset in ["+6h", "-6h", "+0"] {
                        try set(offset)
                        let answer = try await show().answer
                        #expect(answer.complete, "\(offset): \(answer)")
                    }
                    #expect(try await stack.processes().pids == before)
                }
            }

            /// Makes a folder of the built programs, in which the services use the clock offset of a file.
            ///
            /// The launcher, the gateway and the demo upstream use the machine's clock: Python and Foundation's atomic
            /// writes fail under libfaketime.
            ///
            /// - Parameter broker: whether it does, too; a stack on NATS has it for its keys only.
            private static func makePrograms(in folder: String, clock: String, broker: Bool) async throws -> String {
                let libraries = try FileManager.default.contentsOfDirectory(atPath: "/usr/lib")
                    .map { "/usr/lib/\($0)/faketime/libfaketimeMT.so.1" }
                let library = try #require(libraries.first(where: FileManager.default.fileExists(atPath:)))
                try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
                let timers = try await Repository.buildLibrary("unchanged-timers", in: folder)
                for program in ["demo-upstream", "gateway"] + (broker ? [] : ["broker"]) {
                    try FileManager.default.createSymbolicLink(
                        atPath: "\(folder)/\(program)", withDestinationPath: try Repository.binaries + "/" + program)
                }
                let services = [
                    "cache-store", "chart-fetcher", "detail-fetcher", "poster-resolver", "archive", "web", "exporter",
                ]
                for program in services + (broker ? ["broker"] : []) {
                    let script = """
                        #!/bin/sh
                        export LD_PRELOAD="\(timers) \(library)" FAKETIME_TIMESTAMP_FILE=\(clock)
                        export FAKETIME_NO_CACHE=1 FAKETIME_DONT_FAKE_MONOTONIC=1
                        exec \(try Repository.binaries)/\(program) "$@"

                        """
                    let file = "\(folder)/\(program)"
                    try Data(script.utf8).write(to: URL(fileURLWithPath: file))
                    try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: file)
                }
                return folder
            }
        }
    }
#endif
