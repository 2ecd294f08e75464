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
        #expect(await scene.answered(line).output.contains("데모 자료"))
        #expect(await scene.answered("\(line) --lang en").output.contains("demo data"))
        let json: Sourced = try await scene.answered("\(line) --json").decoded()
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
        let film = await scene.answered("movie 20199001")
        #expect(film.lines[0].contains("녹화된 자료"), "\(film)")
        let show: Parts = try await scene.answered("show 2019-03-15 --json").decoded()
        #expect(show.chart.source == "recorded" && show.source == "demo")
        #expect(Set(show.films.compactMap(\.detail.source)) == ["recorded", "demo"])
        #expect(await scene.answered("show 2019-03-15").lines[0].hasSuffix("확정 · 데모 자료"))
    }

    @Test func `a pinned poster keeps its source`() async throws {
        await scene.answered("show 2018-04-03 --top 1")
        await scene.answered("poster pin #1 2 --date 2018-04-03")
        let poster: Sourced = try await scene.answered("poster #1 --date 2018-04-03 --json").decoded()
        #expect(poster.source == "demo")
    }
}
