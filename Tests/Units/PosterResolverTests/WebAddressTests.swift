import Testing

@testable import PosterResolverCore

@Suite struct WebAddressTests {
    @Test(arguments: [
        ("http://images.example/a.jpg", "images.example", 80, "/a.jpg", "images.example"),
        ("HTTPS://Images.Example", "Images.Example", 443, "/", "Images.Example"),
        (
            "https://a_b-c.example:8443/x?y=%EA%B0%80%20%22#z", "a_b-c.example", 8443, "/x?y=%EA%B0%80%20%22",
            "a_b-c.example:8443"
        ),
        ("http://a.example:80?q", "a.example", 80, "/?q", "a.example"),
        ("http://[2001:db8::1]:8080/", "2001:db8::1", 8080, "/", "[2001:db8::1]:8080"),
        ("http://192.0.2.1/", "192.0.2.1", 80, "/", "192.0.2.1"),
    ])
    func `host, port and target are read unchanged`(
        url: String, host: String, port: Int, target: String, authority: String
    ) throws {
        let web = try #require(WebAddress(url))
        #expect(web.host == host && web.port == port && web.target == target && web.authority == authority)
        #expect(web.isSecure == url.lowercased().hasPrefix("https"))
    }

    @Test(arguments: [
        "", "a", "//a/b", "ftp://a/b", "http://", "http:///a", "http://a:0/", "http://a:65536/", "http://u@a/",
        "http://u:p@a/",
        "http://a%3Ab/", "http://[a:b]/", "http://%5B::1%5D/", "http://a%20b/", "http://a%00/", "http://a,b/",
        "http+unix://a/b",
    ])
    func `an ambiguous URL is rejected`(url: String) {
        #expect(WebAddress(url) == nil)
    }

    @Test(arguments: ["http://a/x y", "http://a/x\r\nX-Y: z", "http://a/\u{0}", "http://a/경관의 피.jpg?q=\"가\""])
    func `the target of any URL is ASCII without spaces`(url: String) {
        guard let web = WebAddress(url) else { return }
        #expect(web.target.utf8.allSatisfy { (0x21...0x7E).contains($0) })
    }
}
