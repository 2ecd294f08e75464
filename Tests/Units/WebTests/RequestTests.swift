import Domain
import HTTPTypes
import Localization
import ProcessKit
import Testing

@testable import WebCore

@Suite struct RequestTests {
    private func request(
        _ target: String = "/", _ method: HTTPRequest.Method = .get, _ fields: HTTPFields = [:],
        host: String? = "127.0.0.1:8080"
    ) -> WebRequest {
        WebRequest(method: method, target: target, host: host, fields: fields) {
            RequestMeaning($0, usual: .ko, now: 1_767_225_600)
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

    @Test func `without a language of the browser the site's own applies`() throws {
        let configuration = try WebConfiguration(Environment(["BOXOFFICE_LANG": "en"]))
        let meaning = RequestMeaning(RequestTexts(target: "/"), usual: configuration.language, now: 1_767_225_600)
        #expect(meaning.language == .en)
        #expect(throws: StartupError.self) { try WebConfiguration(Environment(["BOXOFFICE_LANG": "fr"])) }
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

    @Test func `the same texts mean another page on the next day in Seoul`() throws {
        let meanings = RequestMeanings(usual: .ko)
        let texts = RequestTexts(target: "/")
        // 2026-01-01 23:59:59 and 2026-01-02 00:00 in Seoul.
        let days = [1_767_279_599.0, 1_767_279_599, 1_767_279_600, 1_767_279_599].map { now in
            if case .success(.page(.chart(let selection, _))) = meanings.meaning(of: texts, now: now).route {
                return selection.days.lowerBound.iso
            }
            return ""
        }
        #expect(days == ["2025-12-31", "2025-12-31", "2026-01-01", "2025-12-31"])
    }

    @Test func `many different texts replace each other`() {
        let meanings = RequestMeanings(usual: .ko)
        for round in 1...2 {
            for number in 1...3_000 {
                let texts = RequestTexts(target: "/films/\(number + 20_000_000)", acceptLanguage: "en")
                #expect(meanings.meaning(of: texts, now: 1_767_225_600).language == .en, "\(round)")
            }
        }
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

    @Test func `the host of an absolute target counts instead of the field`() {
        #expect(status(request("http://evil.example/about", host: "localhost")) == 421)
        #expect(status(request("HTTP://u@localhost/about", host: "localhost")) == 421)
        let own = request("http://localhost:8080/2022-01-05?view=grid", host: "evil.example")
        #expect(status(own) == nil && own.target == "/2022-01-05?view=grid")
        #expect(request("http://localhost").target == "/" && request("http://localhost?a").target == "/?a")
    }

    @Test(arguments: [nil, "", "evil.example", "10.0.0.7:8080"] as [String?])
    func `any host gets healthz, and nothing else`(host: String?) {
        #expect(status(request("/healthz", host: host)) == nil)
        #expect(status(request("/healthz", .head, host: host)) == nil)
        #expect(status(request("/healthz", .post, host: host)) == 405)
        #expect(status(request("/healthz/", host: host)) == 421)
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
        for method in [HTTPRequest.Method.put, .delete, .options, .post] {
            let refusal = RequestGuard(allowedHosts: []).refusal(request("/", method))
            #expect(refusal?.status == .methodNotAllowed && refusal?.fields[.allow] == "GET, HEAD", "\(method)")
        }
        let refusal = RequestGuard(allowedHosts: []).refusal(request("/2022-W01/weekend/refresh"))
        #expect(refusal?.status == .methodNotAllowed && refusal?.fields[.allow] == "POST")
        #expect(status(request("/" + String(repeating: "a", count: 8192))) == 414)
        #expect(status(request("/", .head)) == nil)
    }
}
