import NIOCore
import NIOSSL
import Synchronization
import TestSupport
import Testing

@testable import PosterResolverCore
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

    @Test func `the loopback interface is not called, in any notation`() async throws {
        try await LoopbackServer.with(.keepOpen(Self.page)) { server in
            for host in [
                "LOCALHOST", "0x7f000001", "0177.0.0.1", "0", "[0:0:0:0:0:ffff:7f00:1]", "%31%32%37.0.0.1", "%5B::1%5D",
                "%5Blocalhost", "localhost%00", "127。0。0。1", "①②⑦.0.0.1",
            ] {
                let found = await code { try await send("http://\(host):\(server.port)/a") }
                // A notation that the system does not resolve reaches no server.
                #expect([.addressRefused, .transport, .requestRefused].contains(found), "\(host)")
            }
            for host in ["127.0.0.1", "localhost", "127.1", "2130706433", "[::1]", "[::ffff:127.0.0.1]"] {
                #expect(await code { try await send("http://\(host):\(server.port)/a") } == .addressRefused, "\(host)")
            }
            #expect(server.requests.isEmpty)
        }
    }

    @Test func `the address of the demo is called`() async throws {
        try await LoopbackServer.with(.keepOpen(Self.page)) { server in
            let response = try await send(server.url("a"), rule: AddressRule(besides: server.url()))
            #expect(response.status == 200 && response.body == Array("ok".utf8))
            #expect(server.requests.count == 1)
        }
    }

    @Test func `the connection uses the checked address and the name of the host`() async throws {
        try await LoopbackServer.with(.keepOpen(Self.page)) { server in
            let asked = Mutex(0)
            let address = try SocketAddress(ipAddress: "127.0.0.1", port: server.port)
            // A name that only this resolver knows.
            let resolver = HostResolver { host, port, _ in
                #expect(host == "images.invalid" && port == server.port)
                asked.withLock { $0 += 1 }
                return address
            }
            let response = try await send(
                "http://images.invalid:\(server.port)/a?q=%EA%B0%80%20%22", rule: AddressRule(exceptions: [address]),
                resolver: resolver)
            #expect(response.status == 200)
            #expect(asked.withLock { $0 } == 1)
            #expect(server.requests.count == 1)
            let request = try #require(server.requests.first)
            #expect(request.hasPrefix("GET /a?q=%EA%B0%80%20%22 HTTP/1.1\r\n"))
            #expect(request.lowercased().contains("\r\nhost: images.invalid:\(server.port)\r\n"))
        }
    }

    @Test func `a name with a private address is not called`() async throws {
        let resolver = HostResolver { _, port, _ in try SocketAddress(ipAddress: "10.0.0.1", port: port) }
        #expect(await code { try await send("https://images.invalid/a", resolver: resolver) } == .addressRefused)
    }

    @Test(arguments: [
        "http+unix://%2Frun%2Fdocker.sock/a", "https+unix://x/a", "unix:///run/x", "file:///etc/passwd", "ftp://a/b",
        "http://", "http:///a", "//a/b", "a", "", "http://user:secret@8.8.8.8/a", "http://user@127.0.0.1/a",
        // Invalid ports, and hosts with characters that resolvers interpret differently.
        "http://8.8.8.8:0/a", "http://8.8.8.8:65536/a", "http://8.8.8.8:99999/a", "http://8.8.8.8:-1/a",
        "http://%5Bx.invalid/a", "http://x.invalid%2F@y/a",
        "http://x%20y/a",
        "http://영화.invalid%00/a",
    ])
    func `a URL other than plain http or https is not called`(url: String) async {
        let error = await #expect(throws: UpstreamError.self) { try await send(url) }
        #expect(error?.code == .requestRefused && error?.isRetryable == false)
        #expect(error?.message.contains("secret") == false)
    }

    @Test func `the system resolves names, and an unknown name is a transport error`() async throws {
        let found = try await HostResolver.system.address("localhost", 80, .now + Self.deadline)
        #expect(["127.0.0.1", "::1"].contains(found.ipAddress) && found.port == 80)
        let resolver = HostResolver { host, _, _ in
            throw UpstreamError(.transport, "The name \(host) does not resolve.")
        }
        #expect(await code { try await send("http://images.invalid/a", resolver: resolver) } == .transport)
    }

    @Test func `the target of a redirect is returned, not followed`() async throws {
        let page = "HTTP/1.1 302 Found\r\nLocation: http://169.254.169.254/x\r\nContent-Length: 0\r\n\r\n"
        try await LoopbackServer.with(.keepOpen(page)) { server in
            let response = try await send(server.url("a"), rule: AddressRule(besides: server.url()))
            #expect(response.status == 302 && response.location == "http://169.254.169.254/x")
        }
    }

    @Test(arguments: [
        "HTTP/1.1 200 OK\r\nContent-Length: 101\r\n\r\n", "HTTP/1.1 200 OK\r\nContent-Length: x\r\n\r\n",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n65\r\n" + String(repeating: "x", count: 101) + "\r\n",
        // The end of this body is unknown.
        "HTTP/1.1 200 OK\r\n\r\nok",
    ])
    func `a body over the limit, or without an end, is rejected`(page: String) async throws {
        try await LoopbackServer.with(.keepOpen(page)) { server in
            let found = await code { try await send(server.url("a"), rule: AddressRule(besides: server.url())) }
            #expect([.malformed, .transport].contains(found), "\(page)")
            #expect(page.contains(": x") || found == .malformed)
        }
    }

    @Test(arguments: [
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: Chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n",
        "HTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok",
    ])
    func `a body is complete with every framing`(page: String) async throws {
        try await LoopbackServer.with(.keepOpen(page)) { server in
            let response = try await send(server.url("a"), rule: AddressRule(besides: server.url()))
            #expect(response == UpstreamResponse(status: 200, body: Array("ok".utf8)))
        }
    }

    @Test(arguments: [
        "", "HTTP/1.1 200", "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n64\r\nhalf", "SSH-2.0-OpenSSH_9.2\r\n\r\n",
    ])
    func `a connection that closes too early is a transport error`(page: String) async throws {
        try await LoopbackServer.with(.close(page)) { server in
            let found = await code { try await send(server.url("a"), rule: AddressRule(besides: server.url())) }
            #expect(found == .transport, "\(page)")
        }
    }

    @Test(
        arguments: ["http", "https"], ["", "HTTP/1.1 200 OK\r\n", "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhalf"])
    func `a request to a hanging server ends at the deadline`(scheme: String, page: String) async throws {
        try await LoopbackServer.with(.keepOpen(page)) { server in
            let transport = PublicHostTransport(rule: AddressRule(besides: server.url()), bodyLimit: 100)
            let url = "\(scheme)://127.0.0.1:\(server.port)/a"
            let request = UpstreamRequest(upstream: "images", path: "/a", url: url, headers: [:])
            let start = ContinuousClock.now
            let error = try await upstreamError {
                try await transport.send(request, deadline: start + .milliseconds(200))
            }
            // A client needs thirty seconds to close a hanging connection, which is much longer.
            #expect(.now - start < .seconds(10))
            // Some of these answers are invalid for a TLS client hello.
            #expect(error?.code == .timeout || scheme == "https" && error?.code == .transport, "\(error as Any)")
        }
    }

    @Test func `a port without a listener is a transport error`() async throws {
        let port = try await LoopbackServer.deadPort()
        let rule = AddressRule(besides: "http://127.0.0.1:\(port)")
        #expect(await code { try await send("http://127.0.0.1:\(port)/a", rule: rule) } == .transport)
    }

    @Test func `a certificate must be trusted and must name the host`() async throws {
        try await TLSServer.with(name: "images.invalid", answer: Self.page) { server in
            let address = try SocketAddress(ipAddress: "127.0.0.1", port: server.port)
            @Sendable func ask(_ host: String, trust: NIOSSLTrustRoots) async throws -> UpstreamResponse {
                try await PublicHostTransport(
                    rule: AddressRule(exceptions: [address]), resolver: HostResolver { _, _, _ in address },
                    trust: trust,
                    bodyLimit: 100
                ).send(
                    UpstreamRequest(
                        upstream: host, path: "/a", url: "https://\(host):\(server.port)/a", headers: [:]),
                    deadline: .now + Self.deadline)
            }
            let response = try await ask("images.invalid", trust: .certificates([server.certificate]))
            #expect(response.status == 200 && response.body == Array("ok".utf8))
            #expect(server.names == ["images.invalid"])
            let ours = NIOSSLTrustRoots.certificates([server.certificate])
            for (host, trust) in [("images.invalid", .default), ("other.invalid", ours), ("127.0.0.1", ours)] {
                // Many concurrent requests: some connections close before their request is written.
                try await withThrowingTaskGroup { group in
                    for _ in 0..<50 {
                        group.addTask { try await upstreamError { try await ask(host, trust: trust) } }
                    }
                    for try await error in group {
                        #expect(error?.code == .transport && error?.isRetryable == false, "\(host) \(error as Any)")
                        #expect(error?.message.contains("no TLS connection that can be trusted") == true)
                    }
                }
            }
        }
    }
}
