import Domain
import Kobis
import Testing
import Upstream

@testable import PosterResolverCore

@Suite(.timeLimit(.minutes(1))) struct ConfigurationTests {
    @Test(arguments: [
        "", " ", "www.kobis.or.kr", "ftp://kobis.example/", "file:///etc/passwd", "http://", "http:///rest",
        "https://kobis.example/a b", "http://kobis.example/?key=abc", "http://kobis.example/#a",
        "http://user:password@kobis.example/",
    ])
    func `a base URL that is no plain http or https URL is a configuration error`(text: String) throws {
        let transport = RecordingTransport("{}")
        let errors = [
            #expect(throws: UpstreamError.self) {
                try KobisClient(baseURL: text, key: APIKey(sampleKey), transport: transport)
            },
            #expect(throws: UpstreamError.self) {
                try KakaoClient(baseURL: text, key: APIKey(sampleKey), transport: transport)
            },
        ]
        #expect(errors.map { $0?.code } == [.configuration, .configuration])
        #expect(errors.allSatisfy { $0?.message.contains("password") == false })
    }

    @Test(arguments: [
        ("http://127.0.0.1:8080", "http://127.0.0.1:8080/v2/search/image?"),
        ("HTTPS://kakao.example/", "HTTPS://kakao.example/v2/search/image?"),
        ("http://[::1]:8080/deep/path", "http://[::1]:8080/deep/path/v2/search/image?"),
        (KakaoClient.defaultBaseURL, "https://dapi.kakao.com/v2/search/image?"),
    ])
    func `paths are appended to the base URL`(base: String, url: String) async throws {
        let transport = try RecordingTransport(fixture: "images-none.json")
        let client = try KakaoClient(baseURL: base, key: APIKey(sampleKey), transport: transport)
        _ = try await client.images(query: "등대", deadline: .now + .seconds(60))
        #expect(await transport.requests.map { $0.url.hasPrefix(url) } == [true])
    }

    @Test func `the default base URL of KOBIS is https`() async throws {
        let transport = try RecordingTransport(fixture: "chart-empty.json")
        let client = try KobisClient(key: APIKey(sampleKey), transport: transport)
        _ = try await client.chart(.daily(try #require(Day("2024-03-06"))), deadline: .now + .seconds(60))
        let url = try #require(await transport.requests.first?.url)
        #expect(
            url.hasPrefix(
                "https://www.kobis.or.kr/kobisopenapi/webservice/rest/boxoffice/searchDailyBoxOfficeList.json?key="))
    }
}
