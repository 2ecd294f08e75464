import Contracts
import TestSupport
import Testing

/// How old and how complete an answer may be.
@Suite(.timeLimit(.minutes(1)), .scene(hasBreakers: false)) struct PolicyTests {
    private struct Show: Decodable {
        struct Part: Decodable {
            let status: String
        }

        struct Film: Decodable {
            let code: String
            let detail: Part
            let poster: Part
        }

        let complete: Bool
        let chart: Part
        let films: [Film]
    }

    let scene: GatewayScene

    init() throws {
        scene = try GatewayScene.shared
    }

    /// Moves the clocks on, so that a settled chart stored now is past its freshness by an hour.
    private func ageCharts() {
        scene.stack.ahead.advance(Double(FreshnessPolicy().settledChart.components.seconds) + 3_600)
    }

    @Test func `offline requests use only the cache`() async throws {
        let nothing = try await scene.upstream.calls {
            for command in ["show 2015-07-08", "chart 2015-07-08", "movie 20150001", "poster 20150001"] {
                let printed = await scene.gateway("\(command) --offline")
                #expect(printed.status == 66 && printed.output.isEmpty, "\(printed)")
                #expect(printed.errors.contains("--offline 없이 다시 실행하세요."))
            }
        }
        #expect(nothing.isEmpty)
        let online = await scene.answered("show 2015-07-08")
        let show: Show = try await scene.gateway("show 2015-07-08 --json").decoded()
        let film = try #require(show.films.first?.code)
        let calls = try await scene.upstream.calls {
            let offline = await scene.gateway("show 2015-07-08 --offline")
            #expect(offline.output == online.output)
            for command in ["movie \(film)", "poster \(film)"] {
                await scene.answered("\(command) --offline --strict")
            }
        }
        #expect(calls.isEmpty)
    }

    @Test func `offline a stale part is labelled or refused`() async throws {
        await scene.answered("show 2015-07-09 --top 2")
        ageCharts()
        let calls = try await scene.upstream.calls {
            let show: Show = try await scene.gateway("show 2015-07-09 --top 2 --offline --json").decoded()
            #expect(!show.complete && show.chart.status == "stale")
            #expect(show.films.count == 2)
            #expect(show.films.allSatisfy { $0.detail.status == "stale" && $0.poster.status == "stale" })
            let text = await scene.answered("chart 2015-07-09 --offline --max-stale 2h")
            #expect(text.output.contains("차트: 오래된 자료 (30일 전)"), "\(text)")
            #expect(await scene.gateway("chart 2015-07-09 --offline --strict").status == 75)
            for bound in ["--no-stale", "--max-stale=30m"] {
                let printed = await scene.gateway("chart 2015-07-09 --offline \(bound) --lang en")
                #expect(printed.status == 75 && printed.output.isEmpty, "\(printed)")
                #expect(printed.errors.contains("past its freshness by 1 h"))
            }
        }
        #expect(calls.isEmpty)
    }

    @Test func `a stale part replaces a failed fetch unless the options exclude it`() async throws {
        await scene.answered("chart 2015-07-10")
        ageCharts()
        try await scene.upstream.withFault("error503") {
            let stale = await scene.answered("chart 2015-07-10 --max-stale 2h")
            #expect(stale.output.contains(/차트: 오래된 자료 \(30일 전\) — .+/), "\(stale)")
            let strict = await scene.gateway("chart 2015-07-10 --strict")
            #expect(strict.status == 75 && strict.output == stale.output, "\(strict)")
            #expect(strict.errors.contains("--strict: 없거나 오래된 부분이 있습니다."))
            for bound in ["--no-stale", "--max-stale=30m"] {
                let none = await scene.gateway("chart 2015-07-10 \(bound)")
                #expect(none.status == 69 && none.output.isEmpty, "\(none)")
            }
        }
    }

    @Test func `strict requires every part`() async {
        await scene.answered("show 2019-03-15 --strict")
        // One film has no poster.
        await scene.answered("show 2019-03-16")
        for form in ["", " --json"] {
            let printed = await scene.gateway("show 2019-03-16 --strict --lang en\(form)")
            #expect(printed.status == 75 && !printed.output.isEmpty, "\(printed)")
            #expect(printed.errors == "gateway: --strict: a part is missing or stale. Try again.\n")
        }
    }

    @Test(arguments: [
        "--refresh --offline", "--max-stale 1h --no-stale", "--max-stale soon", "--max-stale=-1",
        "--stale-while-revalidate 2y",
    ])
    func `contradictory options are refused`(options: String) async {
        let printed = await scene.gateway("show 2019-03-15 \(options)")
        #expect(printed.status == 64 && printed.output.isEmpty, "\(printed)")
    }

    @Test func `an image is not fetched offline`() async {
        let printed = await scene.gateway("poster 20199001 --offline --save x.jpg --lang en")
        #expect(
            printed.status == 64 && printed.errors.contains("--save and --offline cannot be used together"),
            "\(printed)")
    }
}
