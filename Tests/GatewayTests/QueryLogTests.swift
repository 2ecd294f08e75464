import Testing

@testable import GatewayCore

@Suite struct QueryLogTests {
    @Test func `what came to nothing is a line with its code`() throws {
        let log = QueryLog()
        log.add(what: "chart 2022-01-05", Samples.timeout)
        log.add(what: "poster a\n\u{1B}[2J", Samples.timeout)
        #expect(log.lines.count == 2)
        #expect(try #require(log.lines.first).wholeMatch(of: /[0-9]+\.[0-9] ms  -  chart 2022-01-05  timeout/) != nil)
        #expect(try #require(log.lines.last).hasSuffix(#"  poster a\n\u{1B}[2J  timeout"#))
    }
}
