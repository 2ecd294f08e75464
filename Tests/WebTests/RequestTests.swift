import HTTPTypes
import Localization
import Testing

@testable import WebCore

@Suite struct RequestTests {
    private func request(
        _ target: String = "/", _ method: HTTPRequest.Method = .get, host: String? = "127.0.0.1:8080",
        _ fields: HTTPFields = [:]
    ) -> WebRequest {
        WebRequest(method: method, target: target, host: host, fields: fields) {
            RequestMeaning($0, now: 1_767_225_600)
        }
    }

    @Test(
        arguments: [
            (nil, .ko), ("", .ko), ("ko-KR,ko;q=0.9,en-US;q=0.8", .ko), ("en-US,en;q=0.9,ko;q=0.8", .en),
            ("de-DE,de;q=0.9", .en), ("en;q=0.3, ko;q=0.7", .ko), ("en;q=0, ko;q=0.1", .ko), ("*", .ko),
            (";;;,q=,", .ko), ("EN", .en), ("ko;q=nan", .ko),
        ] as [(String?, Language)])
    func `the language is the best of those that the browser names`(field: String?, language: Language) {
        #expect(request("/", .get, field.map { [.acceptLanguage: $0] } ?? [:]).language == language)
    }

    @Test func `the address decides before the browser`() {
        let english: HTTPFields = [.acceptLanguage: "en"]
        #expect(request("/?lang=ko", .get, english).language == .ko)
        #expect(request("/?lang=fr", .get, english).meaning.chosenLanguage == nil)
        #expect(request("/?lang=fr", .get, english).language == .en)
    }

    @Test(
        arguments: [
            ("gzip", true), ("br, gzip;q=0.5", true), ("gzip;q=0", false), ("br", false), ("", false),
            ("GZIP", true), ("gzip;q=0.0", false),
        ])
    func `gzip is used when it is accepted`(field: String, isAccepted: Bool) {
        #expect(request("/", .get, [.acceptEncoding: field]).meaning.acceptsGzip == isAccepted)
    }

    // MARK: What is refused

    private func status(_ request: WebRequest, allowed: Set<String> = []) -> Int? {
        RequestGuard(allowedHosts: allowed).refusal(request)?.status.code
    }

    @Test(arguments: ["127.0.0.1", "127.0.0.1:8080", "localhost:1", "LOCALHOST", "[::1]:8080"])
    func `the loopback has several names`(host: String) {
        #expect(status(request(host: host)) == nil)
    }

    @Test(
        arguments: [
            nil, "", "evil.example", "127.0.0.1.evil.example", "evil.example:8080", "localhost@evil.example",
            "127.0.0.1:8080:1", "[::1", "127.0.0.1 ",
        ] as [String?])
    func `a foreign host is refused`(host: String?) {
        #expect(status(request(host: host)) == 421)
    }

    @Test func `a request with two hosts is refused`() throws {
        let name = try #require(HTTPField.Name("Host"))
        #expect(status(request("/", .get, [name: "localhost"])) == 421)
    }

    @Test func `a host of the settings is allowed`() {
        #expect(status(request(host: "Box.example:443"), allowed: ["box.example"]) == nil)
        #expect(status(request(host: "other.example"), allowed: ["box.example"]) == 421)
    }

    @Test(
        arguments: [
            ([:], 403), (["Sec-Fetch-Site": "same-origin"], nil), (["Sec-Fetch-Site": "cross-site"], 403),
            (["Sec-Fetch-Site": "same-site"], 403), (["Sec-Fetch-Site": "none"], 403),
            (["Origin": "http://127.0.0.1:8080"], nil), (["Origin": "http://127.0.0.1:9999"], 403),
            (["Origin": "null"], 403), (["Origin": "http://evil.example"], 403),
            (["Sec-Fetch-Site": "cross-site", "Origin": "http://127.0.0.1:8080"], 403),
        ] as [([String: String], Int?)])
    func `a form is our own`(fields: [String: String], expected: Int?) throws {
        var sent = HTTPFields()
        for (name, value) in fields { sent[try #require(HTTPField.Name(name))] = value }
        #expect(status(request("/2022-01-05/refresh", .post, sent)) == expected)
    }

    @Test func `other methods and very long addresses are refused`() {
        #expect(status(request("/", .put)) == 405 && status(request("/", .delete)) == 405)
        #expect(status(request("/" + String(repeating: "a", count: 8192))) == 414)
        #expect(status(request("/", .head)) == nil)
    }
}
