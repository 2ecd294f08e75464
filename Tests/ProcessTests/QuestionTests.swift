import Foundation
import Testing

extension ProcessTests.CommandLineTests {
    /// Requests that cannot be answered, independent of the upstream.
    @Suite(.serialized) struct QuestionTests {
        let stack: TestStack

        init() throws {
            stack = try TestStack.shared
        }

        @Test(arguments: ["2003-11-10", "1999-01-01", "2099-12-31", "2026-02-30", "20261301", "gestern", "-40000d"])
        func `a date that no chart can have is refused without an upstream call`(date: String) async throws {
            let calls = try await stack.upstream.calls {
                for command in ["show", "chart"] {
                    let result = try await stack.gateway(command, date)
                    #expect(result.status == 64, "\(result)")
                    #expect(result.output.isEmpty)
                }
            }
            #expect(calls.isEmpty)
        }

        @Test(arguments: ["2003-11-10", "2099-12-31"])
        func `the message for a day out of range states the range in both languages`(date: String) async throws {
            let result = try await stack.gateway("show", date)
            #expect(result.errors.contains(/2003-11-11부터 [0-9]{4}-[0-9]{2}-[0-9]{2}\(어제\)까지/))
            #expect(result.errors.contains(/from 2003-11-11 to [0-9]{4}-[0-9]{2}-[0-9]{2} \(yesterday\)/))
        }

        @Test(arguments: ["today", "오늘", "-0d"])
        func `today is not published yet and causes no upstream call`(date: String) async throws {
            let calls = try await stack.upstream.calls {
                let result = try await stack.gateway("show", date)
                #expect(result.status == 75, "\(result)")
                #expect(result.output.isEmpty)
                #expect(result.errors.contains("아직 발표되지 않았습니다") && result.errors.contains("not published yet"))
            }
            #expect(calls.isEmpty)
        }

        @Test func `an unknown film is reported as unknown`() async throws {
            let result = try await stack.gateway("movie", "00000000")
            #expect(result.status == 66, "\(result)")
            #expect(result.output.isEmpty && result.errors.contains("not_found"))
            let answer: FilmAnswer = try await stack.json("movie", "00000000")
            #expect(!answer.complete && answer.movie?.status == "failed" && answer.movie?.value == nil)
        }

        @Test func `a title without a poster is reported as such`() async throws {
            let result = try await stack.gateway("poster", "포스터 없는 밤")
            #expect(result.status == 66, "\(result)")
            #expect(result.errors.contains("no_hits"))
        }

        @Test(
            arguments: [
                ["poster", "unpin", "123"], ["poster", "pin", "2019988!"], ["movie"], ["show", "--top", "0"],
                ["show", "--top", "11"],
                ["chart", "--timeout", "0"], ["chart", "--lang", "fr"], ["chrat"], ["show", "--colour"],
                ["chart", "--area", "Atlantis"], ["chart", "--nation", "french"], ["chart", "--weekly", "--weekend"],
                ["chart", "--broker", "nowhere"],
            ])
        func `a wrong command line is a usage error`(arguments: [String]) async throws {
            let result = try await stack.command(Repository.binaries + "/gateway", arguments).run()
            #expect(result.status == 64, "\(result)")
            #expect(result.output.isEmpty && !result.errors.isEmpty)
        }
    }
}
