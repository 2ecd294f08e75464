import Foundation
import Testing

extension ProcessTests.LifecycleTests {
    /// The built broker under the conformance kit, which shares no code with it.
    @Suite struct ConformanceTests {
        private struct Report: Decodable {
            struct Rule: Decodable {
                let name: String
                let chapter: String
                let status: String
                let expected: String
                let came: String
            }

            let spoken: [String]
            let rules: [Rule]
        }

        @Test func `the broker conforms to every rule`() async throws {
            try await TestStack.inRunFolder { stack in
                try await stack.command(Repository.binaries + "/broker", []).reading { _ in
                    let kit = try await stack.command(
                        Repository.root + "/Tests/Tools/Conformance/conformance",
                        ["ipc://\(stack.runFolder)/broker.ipc", "--extensions", "--json"]
                    ).run()
                    try #require(kit.status == 0 || kit.status == 1, "\(kit)")
                    let report = try JSONDecoder().decode(Report.self, from: Data(kit.output.utf8))
                    #expect(report.spoken == ["0.1", "0.2"])
                    for rule in report.rules {
                        #expect(
                            rule.status == "ok",
                            "\(rule.name): \(rule.status), expected \(rule.expected), came \(rule.came)")
                    }
                    for (chapter, count) in [("7", 75), ("18", 80), ("8", 20), ("mixed", 7), ("ours", 30)] {
                        #expect(report.rules.count { $0.chapter == chapter } >= count, "rules of \(chapter)")
                    }
                    #expect(kit.status == 0)
                }
            }
        }
    }
}
