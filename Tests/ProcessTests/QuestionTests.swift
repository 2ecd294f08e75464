import Foundation
import Testing

extension ProcessTests.CommandLineTests {
    /// Questions that cannot be answered, whatever the upstream does.
    @Suite(.serialized, .stack()) struct QuestionTests {
        let stack: TestStack

        init() throws {
            stack = try TestStack.shared
        }

        @Test(
            "T7: a date that no chart can have is refused without a call",
            arguments: ["2003-11-10", "1999-01-01", "2099-12-31", "2026-02-30", "20261301", "gestern", "-40000d"])
        func anImpossibleDateIsRefused(date: String) async throws {
            let calls = try await stack.upstream.calls {
                for command in ["show", "chart"] {
                    let result = try await stack.gateway(command, date)
                    #expect(result.status == 64, "\(result)")
                    #expect(result.output.isEmpty)
                }
            }
            #expect(calls.isEmpty)
        }

        @Test("T7: a day out of range is told the range, in both languages", arguments: ["2003-11-10", "2099-12-31"])
        func aDayOutOfRangeIsToldTheRange(date: String) async throws {
            let result = try await stack.gateway("show", date)
            #expect(result.errors.contains(/2003-11-11부터 [0-9]{4}-[0-9]{2}-[0-9]{2}\(어제\)까지/))
            #expect(result.errors.contains(/from 2003-11-11 to [0-9]{4}-[0-9]{2}-[0-9]{2} \(yesterday\)/))
        }

        @Test("T7: today is not published yet, and nobody is asked", arguments: ["today", "오늘", "-0d"])
        func todayIsNotPublishedYet(date: String) async throws {
            let calls = try await stack.upstream.calls {
                let result = try await stack.gateway("show", date)
                #expect(result.status == 75, "\(result)")
                #expect(result.output.isEmpty)
                #expect(result.errors.contains("아직 발표되지 않았습니다") && result.errors.contains("not published yet"))
            }
            #expect(calls.isEmpty)
        }

        @Test func anUnknownFilmIsSaidToBeNone() async throws {
            let result = try await stack.gateway("movie", "00000000")
            #expect(result.status == 66, "\(result)")
            #expect(result.output.isEmpty && result.errors.contains("not_found"))
            let answer: FilmAnswer = try await stack.json("movie", "00000000")
            #expect(!answer.complete && answer.movie?.status == "failed" && answer.movie?.value == nil)
        }

        @Test func aTitleWithoutPosterIsSaidToHaveNone() async throws {
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
        func aWrongCommandLineIsAUsageError(arguments: [String]) async throws {
            let result = try await stack.command(Repository.binaries + "/gateway", arguments).run()
            #expect(result.status == 64, "\(result)")
            #expect(result.output.isEmpty && !result.errors.isEmpty)
        }
    }
}
