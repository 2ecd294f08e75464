import NIOCore
import Testing

@testable import PosterResolverCore

@Suite struct AddressRuleTests {
    @Test(arguments: [
        // This host, loopback, private networks, carrier networks, link-local.
        "0.0.0.0", "0.1.2.3", "127.0.0.1", "127.255.255.254", "10.0.0.1", "172.16.0.1", "172.31.255.255", "192.168.1.1",
        "100.64.0.1", "169.254.0.1",
        // Cloud metadata services: most clouds, Alibaba, Oracle, Azure, Amazon over IPv6.
        "169.254.169.254", "100.100.100.200", "192.0.0.192", "168.63.129.16", "fd00:ec2::254",
        // Documentation, benchmarks, relays, multicast, reserved, broadcast.
        "192.0.2.1", "198.51.100.1", "203.0.113.1", "198.18.0.1", "198.19.255.255", "192.88.99.1", "224.0.0.1",
        "239.255.255.250", "240.0.0.1", "255.255.255.255",
        // The same in IPv6.
        "::", "::1", "fe80::1", "fec0::1", "fc00::1", "fdff::1", "ff02::1", "2001:db8::1", "3fff::1", "100::1",
        // Addresses that embed another: mapped, compatible, NAT64 (also the local one), 6to4, Teredo.
        "::ffff:127.0.0.1", "::ffff:169.254.169.254", "::127.0.0.1", "64:ff9b::10.0.0.1", "64:ff9b:1::8.8.8.8",
        "2002:7f00:1::1", "2001:0:5ef5:79fd::1",
    ])
    func `addresses outside the public internet are refused`(address: String) throws {
        #expect(try !AddressRule().allows(SocketAddress(ipAddress: address, port: 443)))
    }

    @Test(arguments: [
        "8.8.8.8", "1.1.1.1", "172.15.255.255", "172.32.0.1", "100.63.255.255", "100.128.0.1", "169.253.255.255",
        "192.167.255.255", "198.17.255.255", "198.20.0.1", "223.255.255.255", "168.63.129.17", "211.231.99.80",
        "2606:4700::1111", "2404:6800:4004::2004", "2001:4860:4860::8888", "::ffff:8.8.8.8", "64:ff9b::8.8.8.8",
    ])
    func `public addresses are allowed`(address: String) throws {
        #expect(try AddressRule().allows(SocketAddress(ipAddress: address, port: 80)))
    }

    @Test(arguments: [
        "http://127.0.0.1:8080/", "http://localhost:8080", "http://LOCALHOST:8080/x", "http://[::1]:8080/",
    ])
    func `for an upstream on the loopback interface only its port there is allowed`(baseURL: String) throws {
        let rule = AddressRule(besides: baseURL)
        for address in ["127.0.0.1", "::1"] {
            #expect(try rule.allows(SocketAddress(ipAddress: address, port: 8080)))
        }
        for (address, port) in [
            ("127.0.0.1", 8081), ("127.0.0.2", 8080), ("::ffff:127.0.0.1", 8080), ("10.0.0.1", 8080),
        ] {
            #expect(try !rule.allows(SocketAddress(ipAddress: address, port: port)))
        }
    }

    @Test(arguments: [
        "https://dapi.kakao.com/", "http://10.0.0.1:8080/", "http://localhost.example:8080/", "http://127.0.0.1:99999/",
        "",
    ])
    func `for any other upstream no loopback address is allowed`(baseURL: String) throws {
        let rule = AddressRule(besides: baseURL)
        for address in ["127.0.0.1", "10.0.0.1", "::1"] {
            for port in [80, 443, 8080, 34_463] {
                #expect(try !rule.allows(SocketAddress(ipAddress: address, port: port)))
            }
        }
    }

    @Test func `a Unix socket is not an internet address`() throws {
        #expect(try !AddressRule().allows(SocketAddress(unixDomainSocketPath: "/run/x")))
    }

    @Test(arguments: ["10.0.0.0/8", "10.0.0.0/33", "x/8", "10.0.0.0", "::/129", "10.0.0.0/-1", ""])
    func `a text other than an address and its leading bits is no block`(text: String) {
        #expect((IPNetwork(text) != nil) == (text == "10.0.0.0/8"))
    }
}
