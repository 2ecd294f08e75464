import ProcessKit
import Testing

@testable import WebCore

@Suite struct WebConfigurationTests {
    @Test(arguments: ["127.0.0.1", "::1", "localhost"])
    func `on this machine images are shown and answers explained`(host: String) throws {
        let configuration = try WebConfiguration(Environment(["BOXOFFICE_WEB_HOST": host]))
        #expect(configuration.posters == .proxy && configuration.explains)
    }

    @Test(
        arguments: [
            ["BOXOFFICE_WEB_HOST": "0.0.0.0"], ["BOXOFFICE_WEB_ALLOWED_HOSTS": "films.example"],
            ["BOXOFFICE_WEB_PROXY": "127.0.0.1"],
        ])
    func `beyond it posters are links, and nothing is explained, unless it is set`(settings: [String: String]) throws {
        let usual = try WebConfiguration(Environment(settings))
        #expect(usual.posters == .link && !usual.explains)
        let chosen = ["BOXOFFICE_WEB_POSTERS": "proxy", "BOXOFFICE_WEB_HOW": "1"]
        let set = try WebConfiguration(Environment(settings.merging(chosen) { $1 }))
        #expect(set.posters == .proxy && set.explains)
    }

    @Test func `visitors may cause fewer calls than a day has`() throws {
        #expect(try WebConfiguration(Environment([:])).callsPerDay == 2_000)
        #expect(try WebConfiguration(Environment(["KOBIS_DAILY_LIMIT": "300"])).callsPerDay == 200)
        let error = #expect(throws: StartupError.self) {
            try WebConfiguration(Environment(["BOXOFFICE_WEB_CALLS": "3000"]))
        }
        #expect(error?.description.contains("from 0 to 2999 (KOBIS_DAILY_LIMIT is 3000)") == true)
    }

    @Test(
        arguments: [
            ("BOXOFFICE_WEB_PORT", "65536"), ("BOXOFFICE_WEB_URL", "films.example"), ("BOXOFFICE_WEB_PROXY", "host"),
            ("BOXOFFICE_WEB_CALLS", "-1"), ("BOXOFFICE_WEB_POSTERS", "all"), ("BOXOFFICE_WEB_HOW", "yes"),
        ])
    func `a value that cannot be used is named`(name: String, value: String) throws {
        let error = try #require(throws: StartupError.self) { try WebConfiguration(Environment([name: value])) }
        #expect("\(error)".contains("\(name)=\(value)"))
    }
}
