import DemoUpstreamCore
import Foundation
import Logging
import ProcessKit
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(2)))
struct LifecycleTests {
    private struct Refused: Error {}

    @Test func `calls are counted per path without their query`() async throws {
        try await UpstreamClient.withUpstream { client in
            _ = try await client.chart("20220105")
            _ = try await client.chart("20220106", key: "wrong")
            _ = try await client.get("/posters/92842800/thumb.png")
            let counts = try await client.get("/_calls").decoded([String: Int].self)
            let chart = "/kobisopenapi/webservice/rest/boxoffice/searchDailyBoxOfficeList.json"
            #expect(counts == [chart: 2, "/posters/92842800/thumb.png": 1])
            try await client.post("/_calls/reset")
            #expect(try await client.get("/_calls").text == "{}")
        }
    }

    @Test func `a stop does not wait for a long latency`() async throws {
        var configuration = DemoUpstreamConfiguration()
        configuration.latency = .seconds(500)
        let reply = try await withThrowingTaskGroup(of: Int.self) { tasks in
            try await UpstreamClient.withUpstream(configuration: configuration) { client in
                tasks.addTask { try await client.chart("20220105").status }
                // The call is counted before it waits.
                while try await client.get("/_calls").text == "{}" { await Task.yield() }
            }
            return try await tasks.next()
        }
        #expect(reply == 503)
    }

    @Test func `an error of the ready handler ends the service`() async {
        let upstream = DemoUpstream(logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }) { _ in
            throw Refused()
        }
        await #expect(throws: Refused.self) { try await upstream.run() }
    }

    @Test func `a port in use is a clear error`() async throws {
        try await UpstreamClient.withUpstream { client in
            var configuration = DemoUpstreamConfiguration()
            configuration.port = try #require(URL(string: client.base)?.port)
            let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
            let second = DemoUpstream(configuration: configuration, logger: logger)
            let error = await #expect(throws: DemoUpstreamError.self) { try await second.run() }
            #expect(error?.exitCode == 69 && "\(error.map { "\($0)" } ?? "")".contains("--port"))
        }
    }

    @Test func `an error of the body is rethrown by the scope`() async {
        await #expect(throws: Refused.self) {
            try await DemoUpstream.withServer { _ in throw Refused() }
        }
    }

    @Test func `the URL file holds one line, and an unwritable one is a clear error`() async throws {
        try withTemporaryFolder { folder in
            let file = URLFile(path: "\(folder)/url")
            try file.write("http://127.0.0.1:1")
            #expect(try String(contentsOfFile: file.path, encoding: .utf8) == "http://127.0.0.1:1\n")
            let unwritable = URLFile(path: "\(folder)/missing/url")
            let error = #expect(throws: StartupError.self) { try unwritable.write("x") }
            #expect(error?.exitStatus == 74 && error?.description.contains(unwritable.path) == true)
        }
    }
}
