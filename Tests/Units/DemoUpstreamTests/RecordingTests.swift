import Domain
import TestSupport
import Testing

@testable import DemoUpstreamCore

@Suite(.timeLimit(.minutes(2)))
struct RecordingTests {
    private let files = [
        "daily-20220105-first.json": RecordingFixtures.chart,
        "movieinfo-20990001-test.json": RecordingFixtures.detail(),
        "kakao-image-3docs-smugglers.json": RecordingFixtures.images(3),
        "kakao-image-empty.json": RecordingFixtures.images(0),
        "kakao-query-%EC%8B%9C%ED%97%98 영화 포스터.json": RecordingFixtures.images(2),
        "MANIFEST.md": "not looked at", "codes-x.json": "nor this",
    ]

    @Test func `recorded bodies are served byte for byte`() async throws {
        try await withOverlay { client in
            let chart = try await client.chart("20220105", ["itemPerPage": "10"])
            #expect(chart.text == RecordingFixtures.chart && chart.origin == "recorded")
            let detail = try await client.detail("20990001")
            #expect(detail.text == RecordingFixtures.detail() && detail.origin == "recorded")
        }
    }

    @Test func `a recorded week is served for all its days`() async throws {
        let chart = RecordingFixtures.chart.replacing("20220105~20220105", with: "20220107~20220109")
            .replacing("dailyBoxOfficeList", with: "weeklyBoxOfficeList")
        try await withOverlay(["weekend-20220107-20220109.json": chart]) { client in
            for date in ["20220103", "20220109"] {
                let reply = try await client.weekChart(date, "1")
                #expect(reply.text == chart && reply.origin == "recorded")
            }
            #expect(try await client.weekChart("20220103", "0").origin == "generated")
        }
    }

    @Test func `the generated world answers what is not recorded`() async throws {
        try await withOverlay { client in
            let generated = [
                try await client.chart("20220106"), try await client.chart("20220105", ["repNationCd": "K"]),
                try await client.chart("20220105", ["wideAreaCd": "0105001"]),
            ]
            #expect(generated.allSatisfy { $0.origin == "generated" })
            #expect(try await client.chart("20220105", key: "x").origin == "fault")
        }
    }

    @Test func `a film without a recorded detail has one that is marked as demo`() async throws {
        try await withOverlay { client in
            let reply = try await client.detail("2099C002")
            let detail = try reply.decoded(Wire.Detail.self)
            #expect(reply.origin == "derived" && detail.film.movieNm == "날짜 없는 영화 " && detail.film.openDt == "")
            #expect(detail.film.movieNmEn.isEmpty && !detail.film.directors.isEmpty)
            #expect(detail.movieInfoResult.source?.contains("demo") == true)
            let images = try await client.images("날짜 없는 영화 영화 포스터")
            #expect(images.origin == "derived" && images.text.contains("\(client.base)/posters/2099C002.png"))
        }
    }

    @Test(arguments: [("밀수 영화 포스터", 3), ("밀수", 3), ("시험 영화 포스터", 2), ("밀수꾼 영화 포스터", 0)])
    func `a recorded page answers only its query`(query: String, hits: Int) async throws {
        try await withOverlay { client in
            let reply = try await client.images(query)
            #expect(try reply.decoded(Wire.Images.self).documents.count == hits)
            #expect(reply.origin == (hits > 0 ? "recorded" : "generated"))
        }
    }

    @Test func `no answer contains the address of a recorded image`() async throws {
        try await withOverlay { client in
            let reply = try await client.images("밀수 영화 포스터", ["size": "2"])
            #expect(!reply.text.contains("elsewhere"))
            let images = try reply.decoded(Wire.Images.self)
            #expect(images.documents.map(\.height) == [801, 802] && images.documents.map(\.width) == [600, 600])
            #expect(images.documents.allSatisfy { $0.display_sitename == "어느 블로그" })
            #expect(!images.meta.is_end && images.meta.pageable_count == 3 && images.meta.total_count == 1797)
            let first = try #require(images.documents.first)
            let picture = try ParsedPNG(try await client.get(first.image_url).body)
            #expect(picture.width == 600 && picture.height == 801)
        }
    }

    @Test func `a folder can define the short names of its pages`() async throws {
        let files = [
            "kakao-titles.json": #"{"pond":"느린 연못"}"#, "kakao-image-pond.json": RecordingFixtures.images(1),
            "kakao-image-%EB%93%9C%EB%A6%BC.json": RecordingFixtures.images(1),
        ]
        let overlay = try withTemporaryFolder(files) { try RecordingOverlay.load(from: $0) }
        #expect(Set(overlay.imagePages.map { "\($0.subject)" }) == [#"title("느린 연못")"#, #"title("드림")"#])
    }

    @Test(arguments: [
        ("daily-20220105.json", "{"), ("daily-20220105.json", "{}"), ("daily-20220106.json", RecordingFixtures.chart),
        ("daily-2022-01-05.json", RecordingFixtures.chart), ("daily-202201051.json", RecordingFixtures.chart),
        ("weekly-20220105.json", RecordingFixtures.chart), ("weekend-20220107.json", "{}"),
        ("movieinfo-20990009.json", RecordingFixtures.detail()),
        ("movieinfo-a_b.json", RecordingFixtures.detail("a_b")),
        ("kakao-query-x.json", "[]"), ("kakao-titles.json", "[]"),
    ])
    func `a broken recording stops the start and is named`(name: String, text: String) async throws {
        try withTemporaryFolder([name: text]) { folder in
            let error = #expect(throws: RecordingError.self) { try RecordingOverlay.load(from: folder) }
            #expect(error?.path == "\(folder)/\(name)" && error?.description.contains(name) == true)
        }
    }

    @Test func `a missing folder is named`() {
        let error = #expect(throws: RecordingError.self) { try RecordingOverlay.load(from: "/nonexistent/recordings") }
        #expect(error?.path == "/nonexistent/recordings" && error?.remedy.contains("--recordings") == true)
    }

    private func withOverlay(
        _ more: [String: String] = [:], _ body: (UpstreamClient) async throws -> Void
    ) async throws {
        try await withTemporaryFolder(files.merging(more) { $1 }) { folder in
            var configuration = DemoUpstreamConfiguration()
            configuration.recordings = try RecordingOverlay.load(from: folder)
            try await UpstreamClient.withUpstream(configuration: configuration, body)
        }
    }
}
