import HTTPKit
import HTTPTypes
import Hummingbird
import Testing

@testable import ExporterCore

@Suite struct ExporterResponderTests {
    private func respond(
        _ path: String, _ method: HTTPRequest.Method = .get, host: String? = "127.0.0.1:9464"
    ) async -> Response {
        await ExporterResponder(allowedHosts: ["metrics.example"]) { "up 1\n" }
            .respond(method, RequestTarget(path, host: host))
    }

    @Test(arguments: ["127.0.0.1:9464", "exporter:9464", "10.1.2.3", "[::1]:9464", "Metrics.example"])
    func `a scrape may use an address, a name without a dot, or one of the settings`(host: String) async {
        #expect(await respond("/metrics", host: host).status == .ok)
    }

    @Test(arguments: [nil, "", "evil.example", "127.0.0.1.evil.example", "a b"] as [String?])
    func `another host gets the health alone`(host: String?) async {
        #expect(await respond("/metrics", host: host).status == .misdirectedRequest)
        #expect(await respond("/", host: host).status == .misdirectedRequest)
        #expect(await respond("/health", host: host).status == .ok)
    }

    @Test func `a question for the fields gets them, other methods are refused`() async {
        for path in ["/metrics", "/health"] {
            let head = await respond(path, .head)
            #expect(head.status == .ok && head.headers[.contentLength] == (path == "/health" ? "3" : "5"))
            let refused = await respond(path, .post)
            #expect(refused.status == .methodNotAllowed && refused.headers[.allow] == "GET, HEAD")
        }
        #expect(await respond("/nope", .post).status == .notFound)
        #expect(await respond("/metrics?name[]=up").status == .ok)
    }
}
