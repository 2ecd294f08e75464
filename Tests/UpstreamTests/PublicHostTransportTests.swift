import NIOCore
import Synchronization
import Testing

@testable import Upstream

@Suite(.timeLimit(.minutes(1))) struct PublicHostTransportTests {
    private static let deadline: Duration = .seconds(20)

    private func send(
        _ url: String, rule: AddressRule = AddressRule(), resolver: HostResolver = .system, limit: Int = 100
    )
        async throws -> UpstreamResponse
    {
        try await PublicHostTransport(rule: rule, resolver: resolver, bodyLimit: limit).send(
            UpstreamRequest(upstream: "images", path: "/a", url: url, headers: ["X-Test": "1"]),
            deadline: .now + Self.deadline)
    }

    private func code(_ body: () async throws -> UpstreamResponse) async -> UpstreamError.Code? {
        await #expect(throws: UpstreamError.self) { try await body() }?.code
    }

    private static let page = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"

    @Test func `the loopback is not asked, however it is written`() async throws {
        try await LoopbackServer.with(.keepOpen(Self.page)) { server in
            for host in [
                "127.0.0.1", "localhost", "LOCALHOST", "127.1", "2130706433", "0x7f000001", "0177.0.0.1", "0", "[::1]",
                "[::ffff:127.0.0.1]", "[0:0:0:0:0:ffff:7f00:1]", "%31%32%37.0.0.1",
            ] {
                let found = await code { try await send("http://\(host):\(server.port)/a") }
                // What the system does not take for a name of the loopback reaches nothing either.
                #expect([.addressRefused, .transport, .requestRefused].contains(found), "\(host)")
            }
            for host in ["127.0.0.1", "localhost", "127.1", "2130706433", "[::1]", "[::ffff:127.0.0.1]"] {
                #expect(await code { try await send("http://\(host):\(server.port)/a") } == .addressRefused, "\(host)")
            }
            #expect(server.requests.isEmpty)
        }
    }

    @Test func `the demo's own address is asked`() async throws {
        try await LoopbackServer.with(.keepOpen(Self.page)) { server in
            let response = try await send(server.url("a"), rule: AddressRule(besides: server.url()))
            #expect(response.status == 200 && response.body == Array("ok".utf8))
            #expect(server.requests.count == 1)
        }
    }

    @Test func `the address that was checked is the one that is connected to, under the host's own name`() async throws
    {
        try await LoopbackServer.with(.keepOpen(Self.page)) { server in
            let asked = Mutex(0)
            let address = try SocketAddress(ipAddress: "127.0.0.1", port: server.port)
            // A name that no resolver but this one knows.
            let resolver = HostResolver { host, port, _ in
                #expect(host == "images.invalid" && port == server.port)
                asked.withLock { $0 += 1 }
                return address
            }
            let response = try await send(
                "http://images.invalid:\(server.port)/a?q=%EA%B0%80%20%22", rule: AddressRule(exception: address),
                resolver: resolver)
            #expect(response.status == 200)
            #expect(asked.withLock { $0 } == 1)
            let request = try #require(server.requests.first)
            #expect(request.hasPrefix("GET /a?q=%EA%B0%80%20%22 HTTP/1.1\r\n"))
            #expect(request.lowercased().contains("\r\nhost: images.invalid:\(server.port)\r\n"))
        }
    }

    @Test func `a name of a private address is not asked`() async throws {
        let resolver = HostResolver { _, port, _ in try SocketAddress(ipAddress: "10.0.0.1", port: port) }
        #expect(await code { try await send("https://images.invalid/a", resolver: resolver) } == .addressRefused)
    }

    @Test(arguments: [
        "http+unix://%2Frun%2Fdocker.sock/a", "https+unix://x/a", "unix:///run/x", "file:///etc/passwd", "ftp://a/b",
        "http://", "http:///a", "//a/b", "a", "", "http://user:secret@8.8.8.8/a", "http://user@127.0.0.1/a",
    ])
    func `what is no plain http or https URL is not asked`(url: String) async {
        let error = await #expect(throws: UpstreamError.self) { try await send(url) }
        #expect(error?.code == .requestRefused && error?.isRetriable == false)
        #expect(error?.message.contains("secret") == false)
    }

    @Test func `a name that does not resolve is a transport error`() async {
        #expect(await code { try await send("http://does-not-exist.invalid/a") } == .transport)
    }

    @Test func `where a redirect points to is told, not followed`() async throws {
        let page = "HTTP/1.1 302 Found\r\nLocation: http://169.254.169.254/x\r\nContent-Length: 0\r\n\r\n"
        try await LoopbackServer.with(.keepOpen(page)) { server in
            let response = try await send(server.url("a"), rule: AddressRule(besides: server.url()))
            #expect(response.status == 302 && response.location == "http://169.254.169.254/x")
        }
    }

    @Test(arguments: [
        "HTTP/1.1 200 OK\r\nContent-Length: 101\r\n\r\n",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n65\r\n" + String(repeating: "x", count: 101) + "\r\n",
        "HTTP/1.1 200 OK\r\n\r\n" + String(repeating: "x", count: 101),
    ])
    func `a body over the limit is left, whatever it says of its length`(page: String) async throws {
        try await LoopbackServer.with(.keepOpen(page)) { server in
            let found = await code { try await send(server.url("a"), rule: AddressRule(besides: server.url())) }
            #expect(found == .malformed)
        }
    }
}
