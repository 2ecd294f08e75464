import AsyncHTTPClient
import Domain
import Kobis
import NIOCore
import NIOPosix
import TestSupport
import Testing
import Upstream

@Suite(.timeLimit(.minutes(1))) struct HTTPClientTransportTests {
    @Test func `a request is one GET with its headers, and the answer has status, type and body`() async throws {
        try await LoopbackServer.with(.keepOpen(http("{}", extra: "Content-Type: application/json;charset=utf-8"))) {
            server in
            let response = try await send(to: server, path: "a/b.json?q=%EA%B0%80%20%22", headers: ["X-Test": "1"])
            #expect(
                response
                    == UpstreamResponse(
                        status: 200, contentType: "application/json;charset=utf-8", body: Array("{}".utf8)))
            #expect(server.requests.count == 1)
            #expect(server.requests.first?.hasPrefix("GET /a/b.json?q=%EA%B0%80%20%22 HTTP/1.1\r\n") == true)
            #expect(server.requests.first?.lowercased().contains("\r\nx-test: 1\r\n") == true)
        }
    }

    @Test(arguments: [204, 302, 401, 429, 500, 503])
    func `every status is a response`(status: Int) async throws {
        let reply = status == 204 ? "HTTP/1.1 204 No Content\r\n\r\n" : http("no", status: status)
        try await LoopbackServer.with(.keepOpen(reply)) { server in
            let response = try await send(to: server)
            #expect(response.status == status)
        }
    }

    @Test func `a redirect is not followed`() async throws {
        try await LoopbackServer.with(.keepOpen(http("stolen"))) { other in
            try await LoopbackServer.with(.keepOpen(http("", status: 302, extra: "Location: \(other.url())"))) {
                server in
                let response = try await send(to: server)
                #expect(response.status == 302)
                #expect(other.requests.isEmpty)
            }
        }
    }

    @Test func `an answer after a redirect of another client configuration is not accepted`() async throws {
        try await LoopbackServer.with(.keepOpen(http("stolen"))) { other in
            try await LoopbackServer.with(.keepOpen(http("", status: 302, extra: "Location: \(other.url())"))) {
                server in
                let error = try await upstreamError { try await send(to: server, configuration: .init()) }
                #expect(error?.code == .transport)
                #expect(error?.isRetryable == false)
            }
        }
    }

    @Test(arguments: [
        "", "HTTP/1.1 200", "HTTP/1.1 200 OK\r\nContent-Le", "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{\"half\":",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n64\r\n{\"half\":", "SSH-2.0-OpenSSH_9.2\r\n\r\n",
    ])
    func `a connection that closes too early is a retryable transport error`(reply: String) async throws {
        try await LoopbackServer.with(.close(reply)) { server in
            let error = try await upstreamError { try await send(to: server) }
            #expect(error?.code == .transport, "\(error as Any)")
            #expect(error?.isRetryable == true)
            #expect(server.requests.count == 1)
        }
    }

    @Test(arguments: [
        "", "HTTP/1.1 200 OK\r\n", "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n",
        "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{\"half\":", "HTTP/1.1 200 OK\r\n\r\n{\"without end\":",
    ])
    func `a request to a hanging server ends at the deadline`(reply: String) async throws {
        try await LoopbackServer.with(.keepOpen(reply)) { server in
            let error = try await upstreamError { try await send(to: server, within: .milliseconds(150)) }
            #expect(error?.code == .timeout, "\(error as Any)")
            #expect(error?.isRetryable == true)
        }
    }

    @Test func `after the deadline nothing is sent`() async throws {
        try await LoopbackServer.with(.keepOpen(http("{}"))) { server in
            let error = try await upstreamError { try await send(to: server, within: .zero) }
            #expect(error?.code == .timeout)
            #expect(server.requests.isEmpty)
        }
    }

    @Test(arguments: [
        "HTTP/1.1 200 OK\r\nContent-Length: 1001\r\n\r\n",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3E9\r\n\(String(repeating: "a", count: 1001))\r\n0\r\n\r\n",
    ])
    func `a body over the limit is malformed, not read to its end`(reply: String) async throws {
        try await LoopbackServer.with(.keepOpen(reply)) { server in
            let error = try await upstreamError { try await send(to: server, bodyLimit: 1000) }
            #expect(error?.code == .malformed, "\(error as Any)")
            #expect(error?.isRetryable == false)
        }
    }

    @Test func `a body of exactly the limit is read`() async throws {
        let body = String(repeating: "a", count: 1000)
        try await LoopbackServer.with(.keepOpen(http(body))) { server in
            let response = try await send(to: server, bodyLimit: 1000)
            #expect(response.body.count == 1000)
        }
    }

    @Test func `a refused connection is reported at once, with its address`() async throws {
        let port = try await LoopbackServer.deadPort()
        let error = try await upstreamError { try await send(to: "http://127.0.0.1:\(port)/") }
        #expect(error?.code == .transport)
        #expect(error?.message == "The connection to KOBIS at 127.0.0.1:\(port) failed: connection refused.")
        #expect(error?.isRetryable == true)
    }

    @Test(arguments: ["", "no url", "http://", "gopher://kobis.example/"])
    func `a request that cannot be built is a configuration error`(url: String) async throws {
        let error = try await upstreamError { try await send(to: url) }
        #expect(error?.code == .configuration, "\(error as Any)")
    }

    @Test func `an error never contains a header value`() async throws {
        try await LoopbackServer.with(.keepOpen(http("{}"))) { server in
            let error = try await upstreamError {
                try await send(to: server, headers: ["Authorization": "KakaoAK \(sampleKey)\n"])
            }
            #expect(error != nil)
            #expect("\(error as Any)".contains(sampleKey) == false)
        }
    }

    @Test func `cancellation ends a pending request and is thrown unchanged`() async throws {
        try await LoopbackServer.with(.keepOpen("")) { server in
            _ = await #expect(throws: CancellationError.self) {
                try await withThrowingTaskGroup(of: Void.self) { group in
                    group.addTask { _ = try await send(to: server) }
                    await server.waitForRequest()
                    group.cancelAll()
                    try await group.waitForAll()
                }
            }
        }
    }

    @Test func `a client reads a chart over a real connection, key and day in its query`() async throws {
        let chart = try Fixture.text("chart-20240306.json")
        try await LoopbackServer.with(.keepOpen(http(chart))) { server in
            let answer = try await readChart(from: server)
            #expect(answer.entries.count == 10)
            #expect(
                server.requests.first?.contains(
                    "GET /boxoffice/searchDailyBoxOfficeList.json?key=\(sampleKey)&targetDt=20240306 ") == true)
        }
    }

    @Test func `a partial body without a length is malformed, after three attempts`() async throws {
        let half = try Fixture.text("chart-20240306.json").prefix(1500)
        try await LoopbackServer.with(.close("HTTP/1.1 200 OK\r\n\r\n\(half)")) { server in
            let error = try await upstreamError { try await readChart(from: server) }
            #expect(error?.code == .malformed)
            #expect(error?.message.contains("cut-off") == true, "\(error as Any)")
            #expect(server.requests.count == 3)
        }
    }

    private func http(_ body: String, status: Int = 200, extra: String? = nil) -> String {
        let header = extra.map { "\($0)\r\n" } ?? ""
        return "HTTP/1.1 \(status) Word\r\n\(header)Content-Length: \(body.utf8.count)\r\n\r\n\(body)"
    }

    private func send(
        to server: LoopbackServer, path: String = "", headers: [String: String] = [:],
        within time: Duration = .seconds(30), bodyLimit: Int = 2 * 1024 * 1024,
        configuration: HTTPClient.Configuration = HTTPClientTransport.clientConfiguration()
    ) async throws -> UpstreamResponse {
        try await send(
            to: server.url(path), headers: headers, within: time, bodyLimit: bodyLimit, configuration: configuration)
    }

    private func send(
        to url: String, headers: [String: String] = [:], within time: Duration = .seconds(30),
        bodyLimit: Int = 2 * 1024 * 1024,
        configuration: HTTPClient.Configuration = HTTPClientTransport.clientConfiguration()
    ) async throws -> UpstreamResponse {
        try await withTransport(bodyLimit: bodyLimit, configuration: configuration) { transport in
            let request = UpstreamRequest(upstream: "KOBIS", path: "test", url: url, headers: headers)
            return try await transport.send(request, deadline: .now + time)
        }
    }

    private func readChart(from server: LoopbackServer) async throws -> Chart {
        try await withTransport { transport in
            let client = try KobisClient(
                baseURL: server.url(), key: APIKey(sampleKey), transport: transport,
                retry: UpstreamRetry(fraction: { 0 }))
            return try await client.chart(.daily(try #require(Day("2024-03-06"))), deadline: .now + .seconds(30))
        }
    }

    private func withTransport<Answer>(
        bodyLimit: Int = 2 * 1024 * 1024,
        configuration: HTTPClient.Configuration = HTTPClientTransport.clientConfiguration(),
        _ body: (HTTPClientTransport) async throws -> Answer
    ) async throws -> Answer {
        let client = HTTPClient(eventLoopGroup: MultiThreadedEventLoopGroup.singleton, configuration: configuration)
        let answer: Answer
        do {
            answer = try await body(HTTPClientTransport(client: client, bodyLimit: bodyLimit))
        } catch {
            try await client.shutdown()
            throw error
        }
        try await client.shutdown()
        return answer
    }
}
