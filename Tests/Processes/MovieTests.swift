import TestSupport
import Testing

extension ProcessTests.CommandLineTests {
    /// A film by its code, its rank or its title, and what is derived from stored charts.
    @Suite(.serialized) struct MovieTests {
        struct Movie: Decodable {
            struct Run: Decodable {
                let lastDay: String
                /// Null: it needs every day of the run.
                let chartDays: Int?
                let audienceTotal: Int
            }

            let code: String
            let run: Run?
        }

        let stack: TestStack

        init() throws {
            stack = try TestStack.shared
        }

        @Test func `a film is found by its rank and by its title`() async throws {
            let byCode = try await stack.answered("movie", "20199001", "--date", "2019-03-15")
            #expect(byCode.lines.first?.hasPrefix("유리 등대  20199001 · ") == true)
            for name in ["#1", "유리 등대", "등대", "유리등대"] {
                #expect(
                    try await stack.answered("movie", name, "--date", "2019-03-15").lines.first == byCode.lines.first)
            }
            let ago = try await stack.gateway("movie", "#99", "--date", "-1d", "--lang", "en")
            #expect(ago.status == 66 && ago.errors.contains("has no #99"), "\(ago)")
            let several = try await stack.gateway("movie", "의", "--date", "2019-03-15", "--lang", "en")
            #expect(several.status == 66 && several.output.isEmpty)
            #expect(
                several.errors.hasPrefix(
                    "gateway: '의': Several films match. Choose one by its code. More: gateway search '의' (recorded data)\n"
                        + "  2019A002  바람의 지도 제작자")
            )
            let none = try await stack.gateway("movie", "#7", "--date", "2019-03-15", "--lang", "en")
            #expect(
                none.status == 66
                    && none.errors
                        == "gateway: The chart of 2019-03-15 has no #7. To see the chart: gateway chart 2019-03-15\n"
            )
            let poster = try await stack.gateway("poster", "#99")
            #expect(poster.status == 66 && poster.errors.contains("#99"))
        }

        @Test func `an exact title takes precedence over a title that contains it`() async throws {
            // The chart has "바람의 지도 제작자", the catalogue a film of 1998 with the title "지도".
            let called = try await stack.answered("movie", "지도", "--date", "2019-03-15")
            #expect(called.lines.first?.hasPrefix("지도  19980315 · ") == true)
            try await stack.upstream.withFault("key", path: "searchMovieList") {
                let held = try await stack.answered("movie", "지도 제작", "--date", "2019-03-15")
                #expect(held.lines.first?.hasPrefix("바람의 지도 제작자  2019A002 · ") == true)
            }
            // Longer than half of the time limit, and shorter than one attempt of the fetcher.
            try await stack.upstream.withFault("slow&ms=1200", path: "searchMovieList") {
                let held = try await stack.answered("movie", "제작자", "--date", "2019-03-15", "--timeout", "2")
                #expect(held.lines.first?.hasPrefix("바람의 지도 제작자  2019A002 · ") == true)
            }
        }

        @Test func `derived values use stored days and cost no upstream call`() async throws {
            try await stack.answered("movie", "20199001")
            let calls = try await stack.upstream.calls {
                let nothing: Movie = try await stack.json("movie", "20199001", "--date", "2019-03-13")
                #expect(nothing.run == nil)
            }
            #expect(calls.isEmpty)
            for day in ["2019-03-15", "2019-03-16"] { try await stack.answered("chart", day) }
            let after = try await stack.upstream.calls {
                // The archive learns a chart from the event that it was stored.
                var two: Movie
                repeat {
                    two = try await stack.json("movie", "20199001", "--date", "2019-03-16")
                } while two.run?.chartDays != 2
                #expect(two.run?.lastDay == "2019-03-16")
                let one: Movie = try await stack.json("movie", "20199001", "--date", "2019-03-15")
                #expect(one.run?.lastDay == "2019-03-15" && one.run?.audienceTotal == 141_234)
                let text = try await stack.answered("movie", "20199001", "--date", "2019-03-16", "--offline")
                #expect(text.output.contains("\n\n누적 관객  ") && text.output.contains("명 (2019-03-16 기준)\n"))
            }
            #expect(after.isEmpty)
        }
    }
}
