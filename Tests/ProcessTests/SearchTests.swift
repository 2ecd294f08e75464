import Testing

extension ProcessTests.CommandLineTests {
    /// Films that are in no stored chart.
    @Suite(.serialized) struct SearchTests {
        struct Found: Decodable {
            struct Part: Decodable {
                struct Page: Decodable {
                    struct Film: Decodable {
                        let code: String
                        let title: String
                    }

                    let total: Int
                    let films: [Film]
                }

                let status: String
                let value: Page?
            }

            let page: Int
            let search: Part
        }

        let stack: TestStack

        init() throws {
            stack = try TestStack.shared
        }

        @Test func `a search costs one upstream call and is then stored`() async throws {
            let calls = try await stack.upstream.calls {
                for _ in 0..<2 {
                    let found: Found = try await stack.json("search", "영수증", "--limit", "5")
                    let films = try #require(found.search.value?.films)
                    #expect(found.search.status == "ok" && films.count == 5)
                    #expect(films.allSatisfy { $0.title.contains("영수증") })
                }
                let offline = try await stack.answered("search", "영수증", "--limit", "5", "--offline")
                #expect(offline.lines[0].hasPrefix("'영수증'  "))
            }
            #expect(calls == [UpstreamSwitches.searchPath: 1])
        }

        @Test func `the criteria reach the upstream`() async throws {
            let all: Found = try await stack.json("search", "영수증")
            let many = try #require(all.search.value?.total)
            for criterion in [["--opened", "2015-2018"], ["--produced", "2015-2018"], ["--director", "예시"]] {
                let some: Found = try await stack.command(
                    Repository.binaries + "/gateway", ["search", "영수증", "--limit", "100", "--json"] + criterion
                ).run().decoded()
                #expect(some.search.value.map { 0 < $0.total && $0.total < many } == true, "\(criterion): \(some)")
            }
            let recorded: Found = try await stack.json("search", "지도", "--director", "하시험", "--produced", "1997")
            #expect(recorded.search.value?.films.map(\.code) == ["19980315"])
            let second: Found = try await stack.json("search", "영수증", "--page", "2")
            #expect(second.page == 2 && second.search.value?.films.first?.code != all.search.value?.films.first?.code)
        }

        @Test func `a title that is in no chart is searched for in the catalogue`() async throws {
            let found: Found = try await stack.json("search", "그리고 영수증", "--limit", "1")
            let film = try #require(found.search.value?.films.first)
            // An exact title takes precedence over titles that contain it.
            let answer = try await stack.gateway("movie", film.title, "--lang", "en")
            let isMeant = answer.status == 0 && answer.lines[0].hasPrefix(film.title)
            #expect(isMeant || answer.errors.contains("  \(film.code)  "), "\(answer)")
            let none = try await stack.gateway("movie", "없는 영화 이름", "--lang", "en")
            #expect(
                none.status == 66
                    && none.errors
                        == "gateway: No film is called '없는 영화 이름'. Give a part of its title, or its code; gateway search --adult has adult ones. (not_found, retry is no use)\n"
            )
        }

        @Test func `a search without hits ends with 66, a failing one with its failure's code`() async throws {
            let none = try await stack.gateway("search", "이런제목은없다")
            #expect(none.status == 66 && none.output.isEmpty && none.errors.contains("제목의 일부만"), "\(none)")
            try await stack.upstream.withFault("key", path: "searchMovieList") {
                let failed = try await stack.gateway("search", "열쇠", "--lang", "en")
                #expect(failed.status == 77 && failed.errors.contains("key_rejected"), "\(failed)")
            }
        }

        @Test(arguments: [
            ("search", "Give a part of a title, or --director."), ("search x --limit 0", "--limit takes 1 to 100."),
            ("search x --page 0", "--page takes 1"), ("search x --opened 19", "'19'"),
            ("search x --opened 2020-2019", "2020-2019"), ("search x --json=name", "There is no field 'name' here."),
        ])
        func `an impossible search is refused without an upstream call`(command: String, reason: String) async throws {
            let calls = try await stack.upstream.calls {
                let result = try await stack.command(
                    Repository.binaries + "/gateway", command.split(separator: " ").map(String.init)
                ).run()
                #expect(result.status == 64 && result.output.isEmpty && result.errors.contains(reason), "\(result)")
            }
            #expect(calls.isEmpty)
        }
    }
}
