import AsyncHTTPClient
import DemoUpstreamCore
import Domain
import Foundation
import Kobis
import Synchronization
import TestSupport
import Testing
import Upstream

@testable import PosterResolverCore

@Suite(.timeLimit(.minutes(1))) struct RecordAndReplayTests {
    private static let key = "0123456789abcdef0123456789abcdef"

    @Test func `the demo serves recorded answers byte for byte`() async throws {
        try await withFolder { folder in
            let day = try #require(Day("2022-01-05"))
            let selections = [
                ChartSelection.daily(day), ChartSelection(.weekend, around: day),
                ChartSelection(.daily, around: day, filter: ChartFilter(region: .jeju, nation: .korean)),
            ]
            let (charts, film, page, hits) = try await ask(seed: 1, recordings: nil, recordingTo: folder, selections)
            let replayed = try await ask(seed: 2, recordings: folder, recordingTo: nil, selections)
            #expect(replayed.charts == charts && replayed.film == film && replayed.page == page)
            // The address of a recorded image is not served.
            #expect(replayed.hits.map(\.height) == hits.map(\.height) && !hits.isEmpty)
            let other = try await ask(seed: 2, recordings: nil, recordingTo: nil, selections)
            #expect(other.charts != charts)
            #expect(
                try FileManager.default.contentsOfDirectory(atPath: folder).sorted() == [
                    "daily-20220105+nation=korean+region=jeju.json", "daily-20220105.json",
                    "kakao-query-\(charts[0].entries[0].title) 영화 포스터.json", "movieinfo-\(film.code).json",
                    "movielist+page=1+size=100+title=\(charts[0].entries[0].title).json", "weekend-20220107.json",
                ])
        }
    }

    @Test(arguments: ["key", "quota", "html", "error500", "other-json", "empty"])
    func `failed answers and keys are not recorded`(fault: String) async throws {
        try await withFolder { folder in
            var configuration = DemoUpstreamConfiguration()
            configuration.faults = [try #require(FaultRule(fault))]
            try await withClients(configuration, recordingTo: folder) { kobis, kakao in
                let day = try #require(Day("2022-01-05"))
                let deadline = ContinuousClock.now + .seconds(10)
                await #expect(throws: UpstreamError.self) { try await kobis.chart(.daily(day), deadline: deadline) }
                await #expect(throws: UpstreamError.self) { try await kakao.images(query: "밀수", deadline: deadline) }
            }
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder).isEmpty)
        }
    }

    @Test func `a body that contains the key is refused and not recorded`() async throws {
        try await withFolder { folder in
            let recorder = try UpstreamRecorder(folder: folder) { line in Issue.record("\(line)") }
            let body =
                #"{"boxOfficeResult":{"showRange":"20220105~20220105","x":"\#(Self.key)","dailyBoxOfficeList":[]}}"#
            let kobis = try KobisClient(
                baseURL: "http://a", key: APIKey(Self.key), transport: FixedTransport(body: body), recorder: recorder)
            let day = try #require(Day("2022-01-05"))
            let error = await #expect(throws: UpstreamError.self) {
                try await kobis.chart(.daily(day), deadline: .now + .seconds(10))
            }
            #expect(error?.code == .malformed)
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder).isEmpty)
        }
    }

    @Test func `an unusable folder is reported at the start`() {
        let error = #expect(throws: UpstreamError.self) { try UpstreamRecorder(folder: "/dev/null/x") { _ in } }
        #expect(error?.code == .configuration && error?.message.contains("/dev/null/x") == true)
    }

    private typealias Answers = (charts: [Chart], film: FilmDetail, page: FilmPage, hits: [PosterCandidate])

    /// Requests the charts, the first film of the first chart, the films of its title, and its images.
    private func ask(
        seed: UInt64, recordings: String?, recordingTo folder: String?, _ selections: [ChartSelection]
    ) async throws -> Answers {
        var configuration = DemoUpstreamConfiguration()
        configuration.seed = seed
        if let recordings { configuration.recordings = try RecordingOverlay.load(from: recordings) }
        return try await withClients(configuration, recordingTo: folder) { kobis, kakao in
            let deadline = ContinuousClock.now + .seconds(20)
            var charts: [Chart] = []
            for selection in selections { charts.append(try await kobis.chart(selection, deadline: deadline)) }
            let first = try #require(charts.first?.entries.first)
            return (
                charts, try await kobis.film(code: first.code, deadline: deadline),
                try await kobis.films(
                    FilmSearch(title: first.title, includesAdultFilms: true), deadline: deadline),
                try await kakao.images(query: Poster.query(title: first.title), deadline: deadline)
            )
        }
    }

    private func withClients<Result: Sendable>(
        _ configuration: DemoUpstreamConfiguration, recordingTo folder: String?,
        _ body: (KobisClient, KakaoClient) async throws -> Result
    ) async throws -> Result {
        let recorder = try folder.map { try UpstreamRecorder(folder: $0) { Issue.record("\($0)") } }
        return try await DemoUpstream.withServer(configuration: configuration) { base in
            let client = HTTPClient(
                eventLoopGroupProvider: .singleton, configuration: HTTPClientTransport.clientConfiguration())
            let transport = HTTPClientTransport(client: client)
            let outcome: Swift.Result<Result, any Error>
            do {
                let kobis = try KobisClient(
                    baseURL: "\(base)/kobisopenapi/webservice/rest/", key: APIKey(Self.key), transport: transport,
                    recorder: recorder)
                let kakao = try KakaoClient(
                    baseURL: "\(base)/", key: APIKey(Self.key), transport: transport, recorder: recorder)
                outcome = .success(try await body(kobis, kakao))
            } catch {
                outcome = .failure(error)
            }
            try await client.shutdown()
            return try outcome.get()
        }
    }

    private func withFolder(_ body: (String) async throws -> Void) async throws {
        let folder = FileManager.default.temporaryDirectory.path + "/record-\(UInt64.random(in: 0 ... .max))"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try await body(folder)
    }
}

private struct FixedTransport: UpstreamTransport {
    let body: String

    func send(_ request: UpstreamRequest, deadline: ContinuousClock.Instant) async throws -> UpstreamResponse {
        UpstreamResponse(status: 200, body: Array(body.utf8))
    }
}
