import Foundation
import TestSupport
import Testing

extension ProcessTests.NetworkChangeTests {
    /// The second column of the table of failures: a server that no packet reaches.
    @Suite struct CutOffTests {
        @Test(.enabled(if: CutOffCluster.isPossible))
        func `a server that is cut off from the network for ten seconds leaves no part missing`() async throws {
            try await CutOffCluster.run { cluster in
                try await TestStack.run(environment: ["BOXOFFICE_BROKER": cluster.address]) { stack in
                    func ask(_ day: String) async throws -> ChartAnswer {
                        try await stack.json("show", day, "--top", "4", "--refresh")
                    }
                    #expect(try await ask("2017-03-01").complete)
                    try await stack.upstream.withLatency(milliseconds: 300) {
                        let first = Task { try await ask("2017-03-02") }
                        try cluster.cut()
                        let restoration = ContinuousClock.now + .seconds(10)
                        #expect(try await first.value.complete)
                        var day = 3
                        while .now < restoration {
                            #expect(try await ask("2017-03-\(day < 10 ? "0" : "")\(day)").complete)
                            day = day % 28 + 1
                        }
                        try cluster.restore()
                        for day in 1...4 { #expect(try await ask("2017-04-0\(day)").complete) }
                    }
                }
            }
        }
    }
}
