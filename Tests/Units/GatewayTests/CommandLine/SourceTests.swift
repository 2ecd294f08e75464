import Foundation
import TestSupport
import Testing

/// Answers that hold invented or recorded data say so.
@Suite(.timeLimit(.minutes(1)), .scene()) struct SourceTests {
    private struct Sourced: Decodable {
        let source: String?
    }

    private struct Parts: Decodable {
        struct Film: Decodable {
            let detail: Sourced
            let poster: Sourced
        }

        let source: String?
        let chart: Sourced
        let films: [Film]
    }

    private struct Detail: Decodable {
        let movie: Sourced
    }

    let scene: GatewayScene

    init() throws {
        scene = try GatewayScene.shared
    }

    @Test(arguments: [
        "chart 2018-04-02", "chart 2018-04-02 --weekend", "show 2018-04-02 --top 2", "show 2018-04-02 --top 2 --grid",
        "show 2018-04-02 --top 2 --wide", "movie #1 --date 2018-04-02", "search 등대", "poster #1 --date 2018-04-02",
        "poster pin #1 --date 2018-04-02", "show 2018-04-02 --top 2 --offline",
    ])
    func `invented data is labelled in text and in JSON, fetched or stored`(line: String) async throws {
        await scene.answered("show 2018-04-02")
        #expect(await scene.answered(line).output.contains("데모 데이터"))
        #expect(await scene.answered("\(line) --lang en").output.contains("demo data"))
        let json: Sourced = try await scene.answered("\(line) --json").decoded()
        #expect(json.source == "demo")
    }

    @Test func `a choice among invented films is labelled, too`() async throws {
        for (language, label) in [("ko", "(데모 데이터)"), ("en", "(demo data)")] {
            let choice = await scene.gateway("movie 등대 --lang \(language)")
            #expect(choice.status == 66 && choice.errors.split(separator: "\n")[0].hasSuffix(label), "\(choice)")
        }
        let json: Sourced = try await scene.gateway("movie 등대 --json").decoded()
        #expect(json.source == "demo")
    }

    @Test(arguments: [
        "chart 2018-04-02", "show 2018-04-02 --top 2", "movie #1 --date 2018-04-02", "search 등대",
        "poster #1 --date 2018-04-02",
    ])
    func `every exported record has its source`(line: String) async throws {
        let rows = await scene.answered("\(line) --format csv").lines.dropLast()
        #expect(rows.first?.hasSuffix(",source") == true && rows.count > 1)
        #expect(rows.dropFirst().allSatisfy { $0.hasSuffix(",demo") })
        let fields: Sourced = try await scene.answered("\(line) --json=code").decoded()
        #expect(fields.source == "demo")
    }

    @Test func `recorded bodies are labelled as recorded, and an answer has the least genuine source`() async throws {
        let chart = await scene.answered("chart 2019-03-15")
        #expect(chart.lines[0].hasSuffix("확정 · 녹화된 자료"), "\(chart)")
        // The film's run may hold invented charts that other tests have stored.
        let film: Detail = try await scene.answered("movie 20199001 --json").decoded()
        #expect(film.movie.source == "recorded")
        let show: Parts = try await scene.answered("show 2019-03-15 --json").decoded()
        #expect(show.chart.source == "recorded" && show.source == "demo")
        #expect(Set(show.films.compactMap(\.detail.source)) == ["recorded", "demo"])
        #expect(await scene.answered("show 2019-03-15").lines[0].hasSuffix("확정 · 데모 데이터"))
    }

    @Test func `a pinned poster keeps its source`() async throws {
        await scene.answered("show 2018-04-03 --top 1")
        await scene.answered("poster pin #1 2 --date 2018-04-03")
        let poster: Sourced = try await scene.answered("poster #1 --date 2018-04-03 --json").decoded()
        #expect(poster.source == "demo")
    }
}
