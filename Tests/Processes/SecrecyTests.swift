import Foundation
import TestSupport
import Testing

extension ProcessTests.CommandLineTests {
    /// The API keys, which no output, event, log or file may contain.
    @Suite(.serialized, .stack(environment: ["BOXOFFICE_BREAKER_FAILURES": "0"])) struct SecrecyTests {
        let stack: TestStack
        let upstream: UpstreamSwitches

        init() throws {
            stack = try TestStack.shared
            upstream = try stack.upstream
        }

        @Test(arguments: ["none", "redirect", "misdirected", "huge", "key", "error500"])
        func `no key is printed or logged, even when the upstream echoes it`(fault: String) async throws {
            var results: [CommandResult] = []
            for path in [nil, "/posters/"] {
                try await upstream.withFault(fault, path: path) {
                    async let show = stack.gateway("show", "2016-04-01", "--refresh", "--verbose", "--top", "1")
                    async let chart = stack.gateway("chart", "2016-04-01", "--json", "--refresh")
                    async let movie = stack.gateway("movie", "20199001", "--refresh", "--lang", "en")
                    async let poster = stack.gateway(
                        "poster", "유리 등대", "--refresh", "--json", "--save", "\(stack.runFolder)/poster")
                    results += try await [show, chart, movie, poster]
                }
            }
            try await stack.expectNoKey(in: results)
            let recorded = try FileManager.default.contentsOfDirectory(atPath: "\(stack.runFolder)/recorded")
            #expect(!recorded.isEmpty && recorded.allSatisfy { $0.hasSuffix(".json") }, "\(recorded)")
        }
    }
}
