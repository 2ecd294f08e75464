import NIOCore
import Testing

@testable import HTTPKit

@Suite struct ClientAddressTests {
    @Test(arguments: ["127.0.0.1", "127.8.9.1", "::1", "::ffff:127.0.0.1"])
    func `the machine itself`(text: String) throws {
        #expect(try #require(ClientAddress(text)).isLoopback)
    }

    @Test(arguments: ["", "localhost", "1.2.3", "1.2.3.4.5", "[::1]", "192.0.2.1:80", "example.org"])
    func `other texts are no address`(text: String) {
        #expect(ClientAddress(text) == nil)
    }

    @Test func `a network of IPv6 is one client`() {
        #expect(ClientAddress("2001:db8::1") == ClientAddress("2001:db8::ffff:1"))
        #expect(ClientAddress("2001:db8::1") != ClientAddress("2001:db8:0:1::1"))
        #expect(ClientAddress("::ffff:192.0.2.1") == ClientAddress("192.0.2.1"))
        #expect(ClientAddress("192.0.2.1") != ClientAddress("192.0.2.2"))
    }

    @Test(
        arguments: [
            ("192.0.2.9", nil, "192.0.2.9"), ("192.0.2.9", "203.0.113.1", "203.0.113.1"),
            // What the client wrote itself comes first.
            ("192.0.2.9", "127.0.0.1, 203.0.113.1", "203.0.113.1"), ("192.0.2.9", "unknown", "192.0.2.9"),
            ("192.0.2.9", "", "192.0.2.9"), ("192.0.2.7", "203.0.113.1", "192.0.2.7"),
        ] as [(String, String?, String)])
    func `a forwarded address counts from a named proxy only`(
        peer: String, forwarded: String?, expected: String
    ) throws {
        let proxy = try #require(ClientAddress("192.0.2.9"))
        let client = ClientAddress(
            peer: try SocketAddress(ipAddress: peer, port: 1), forwarded: forwarded, proxies: [proxy])
        #expect(client == ClientAddress(expected))
    }
}
