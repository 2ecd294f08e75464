import Testing

extension ProcessTests.CommandLineTests {
    /// How old and how complete an answer may be.
    @Suite(.serialized, .stack(environment: ["BOXOFFICE_BREAKER_FAILURES": "0"])) struct PolicyTests {
        let stack: TestStack

        init() throws {
            stack = try TestStack.shared
        }

        private func gateway(_ arguments: String, _ more: String...) async throws -> CommandResult {
            try await stack.command(
                Repository.binaries + "/gateway", arguments.split(separator: " ").map(String.init) + more
            ).run()
        }

        @Test func `offline requests use only the cache`() async throws {
            let nothing = try await stack.upstream.calls {
                for command in ["show 2015-07-08", "chart 2015-07-08", "movie 20150001", "poster 20150001"] {
                    let result = try await gateway("\(command) --offline")
                    #expect(result.status == 66 && result.output.isEmpty, "\(result)")
                    #expect(result.errors.contains("--offline 없이 물어보세요. (not_stored"))
                }
            }
            #expect(nothing.isEmpty)
            let online = try await gateway("show 2015-07-08")
            try #require(online.status == 0, "\(online)")
            let code: ChartAnswer = try await stack.json("show", "2015-07-08")
            let film = try #require(code.films?.first?.code)
            let calls = try await stack.upstream.calls {
                let offline = try await gateway("show 2015-07-08 --offline")
                #expect(offline.output == online.output)
                for command in ["movie \(film)", "poster \(film)"] {
                    let result = try await gateway("\(command) --offline --strict")
                    #expect(result.status == 0, "\(result)")
                }
            }
            #expect(calls.isEmpty)
        }

        @Test func `offline a stale part is labelled or refused`() async throws {
            try await stack.answered("show", "2015-07-09", "--top", "2")
            try await stack.ageCache(bySeconds: 3600)
            let calls = try await stack.upstream.calls {
                let answer: ChartAnswer = try await stack.json("show", "2015-07-09", "--top", "2", "--offline")
                #expect(!answer.complete && answer.chart.status == "stale" && answer.chart.failure == nil)
                let films = try #require(answer.films)
                #expect(films.allSatisfy { $0.detail?.status == "stale" && $0.poster?.status == "stale" })
                let text = try await gateway("chart 2015-07-09 --offline --max-stale 2h")
                #expect(text.status == 0 && text.output.contains("차트: 오래된 자료 (1시간 전)"), "\(text)")
                #expect(try await gateway("chart 2015-07-09 --offline --strict").status == 75)
                for bound in ["--no-stale", "--max-stale=30m"] {
                    let result = try await gateway("chart 2015-07-09 --offline \(bound) --lang en")
                    #expect(result.status == 75 && result.output.isEmpty, "\(result)")
                    #expect(result.errors.contains("past its freshness by 1 h"))
                }
            }
            #expect(calls.isEmpty)
        }

        @Test func `a stale part replaces a failed fetch unless the options exclude it`() async throws {
            try await stack.answered("chart", "2015-07-10")
            try await stack.ageCache(bySeconds: 3600)
            try await stack.upstream.withFault("error503") {
                let stale = try await gateway("chart 2015-07-10 --max-stale 2h")
                #expect(stale.status == 0 && stale.output.contains(/차트: 오래된 자료 \(1시간 전\) — .+\(upstream_/), "\(stale)")
                let strict = try await gateway("chart 2015-07-10 --strict")
                #expect(strict.status == 75 && strict.output == stale.output, "\(strict)")
                #expect(strict.errors.contains("--strict: 없거나 오래된 부분이 있습니다."))
                for bound in ["--no-stale", "--max-stale=30m"] {
                    let none = try await gateway("chart 2015-07-10 \(bound)")
                    #expect(none.status == 69 && none.output.isEmpty && none.errors.contains("(upstream_"), "\(none)")
                }
            }
        }

        @Test func `strict requires every part`() async throws {
            #expect(try await gateway("show 2019-03-15 --strict").status == 0)
            // One film has no poster.
            #expect(try await gateway("show 2019-03-16").status == 0)
            for form in ["", " --json"] {
                let result = try await gateway("show 2019-03-16 --strict --lang en\(form)")
                #expect(result.status == 75 && !result.output.isEmpty, "\(result)")
                #expect(result.errors == "gateway: --strict: a part is missing or stale. Try again.\n")
            }
        }

        @Test(arguments: [
            "--refresh --offline", "--max-stale 1h --no-stale", "--max-stale soon", "--max-stale=-1",
            "--stale-while-revalidate 2y",
        ])
        func `contradictory options are refused`(options: String) async throws {
            let result = try await gateway("show 2019-03-15 \(options)")
            #expect(result.status == 64 && result.output.isEmpty, "\(result)")
        }

        @Test func `an image is not fetched offline`() async throws {
            let result = try await gateway("poster 20199001 --offline --save x.jpg")
            #expect(
                result.status == 64 && result.errors.contains("--save and --offline exclude each other"), "\(result)")
        }
    }
}
