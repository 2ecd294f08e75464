import Contracts
import Envelope
import Foundation
import MessageBus
import TestSupport
import Testing

extension ProcessTests.CommandLineTests {
    /// Outputs that cannot be written, terminals without a size, programs of another release.
    @Suite(.serialized, .stack()) struct UnusualEndTests {
        let stack: TestStack

        init() throws {
            stack = try TestStack.shared
        }

        @Test(arguments: [
            "show 2019-03-15", "chart 2019-03-15 --format csv", "movie 20199001 --json", "config", "exit-codes",
            "completions bash", "--help", "help show", "--version",
        ])
        func `an output that cannot be written is reported`(command: String) async throws {
            let full = try await stack.shell(#""$BIN/gateway" \#(command) > /dev/full"#)
            #expect(full.status == 74 && full.errors.contains("The output cannot be written: No space left"), "\(full)")
            #expect(full.errors.count { $0 == "\n" } == 1, "no stack trace: \(full)")
            let closed = try await stack.shell(#""$BIN/gateway" \#(command) >&-"#)
            #expect(closed.status == 74 && closed.errors.contains("Bad file descriptor"), "\(closed)")
        }

        /// A window manager may give a terminal no columns, and some terminals report no size.
        @Test(arguments: ["stty cols 0 rows 0", "stty cols 1 rows 1", "true"])
        func `a terminal without a size gets the full text`(before: String) async throws {
            let plain = try await stack.answered("chart", "2019-03-15", "--plain").output
            let result = try await stack.shell(
                "script -qec '\(before); \"$BIN/gateway\" chart 2019-03-15 --no-color --lang ko' /dev/null < /dev/null")
            let shown = result.output.replacing("\r\n", with: "\n")
            #expect(result.status == 0, "\(result)")
            if before.contains("cols 1") {
                // The rank of each film, and as much of its title as fits.
                #expect(!shown.contains("당일") && shown.contains("\n  1  …\n  2  …\n  3  …\n"), "\(shown)")
            } else if before.contains("cols 0") {
                #expect(shown == plain)
            } else {
                #expect(shown.hasPrefix("박스오피스 2019-03-15"))
            }
        }

        @Test func `a stack of another version is recognised`() async throws {
            #expect(try await stack.launcher(["scale", "detail-fetcher=0"]).status == 0)
            let configuration = BusConfiguration(stack.transport, instance: "detail-fetcher/9")
            try await withMessageBus(configuration) { bus in
                let worker = bus.worker(BusWorkerOptions(service: ServiceName.detailFetcher, capacity: 4))
                try await withThrowingTaskGroup(of: Void.self) { group in
                    group.addTask {
                        try await worker.serve { request in
                            var header = request.envelope.header
                            header.schema = SchemaVersion(major: 9, minor: 0)
                            return Envelope(header: header, payload: Array("{}".utf8))
                        }
                    }
                    let result = try await stack.gateway("movie", "20187654", "--lang", "en")
                    #expect(result.status == 70 && result.output.isEmpty, "\(result)")
                    #expect(result.errors.contains("9.0") && result.errors.contains("same release"), "\(result)")
                    #expect(result.errors.count { $0 == "\n" } == 1, "no stack trace: \(result)")
                    group.cancelAll()
                }
            }
            #expect(try await stack.launcher(["scale", "detail-fetcher=2"]).status == 0)
        }
    }
}
