import TestSupport
import Testing

/// Requests that cannot be answered, independent of the upstream.
@Suite(.timeLimit(.minutes(1)), .scene()) struct QuestionTests {
    private struct FilmAnswer: Decodable {
        struct Part: Decodable {
            struct Film: Decodable {}

            let status: String
            let value: Film?
        }

        let complete: Bool
        let movie: Part
    }

    let scene: GatewayScene

    init() throws {
        scene = try GatewayScene.shared
    }

    @Test(arguments: ["2003-11-10", "1999-01-01", "2099-12-31", "2026-02-30", "20261301", "gestern", "-40000d"])
    func `a date that no chart can have is refused without an upstream call`(date: String) async throws {
        let calls = try await scene.upstream.calls {
            for command in ["show", "chart"] {
                let printed = await scene.gateway(command, date)
                #expect(printed.status == 64 && printed.output.isEmpty, "\(printed)")
            }
        }
        #expect(calls.isEmpty)
    }

    @Test(arguments: ["2003-11-10", "2099-12-31"])
    func `the message for a day out of range states the range`(date: String) async {
        let korean = await scene.gateway("show", date)
        #expect(korean.errors.contains(/^gateway: .+ 2003-11-11부터 [0-9]{4}-[0-9]{2}-[0-9]{2}\(어제\)까지/), "\(korean)")
        let english = await scene.gateway("show --lang en", date)
        #expect(
            english.errors.contains(/^gateway: .+ from 2003-11-11 to [0-9]{4}-[0-9]{2}-[0-9]{2} \(yesterday\)/),
            "\(english)")
    }

    @Test(arguments: ["today", "오늘", "-0d"])
    func `today is not published yet and causes no upstream call`(date: String) async throws {
        let calls = try await scene.upstream.calls {
            let printed = await scene.gateway("show", date)
            #expect(printed.status == 75 && printed.output.isEmpty, "\(printed)")
            #expect(printed.errors.contains("아직 발표되지 않았습니다"))
            #expect(await scene.gateway("show --lang en", date).errors.contains("not published yet"))
        }
        #expect(calls.isEmpty)
    }

    @Test func `an unknown film is reported as unknown`() async throws {
        let printed = await scene.gateway("movie 00000000")
        #expect(printed.status == 66 && printed.output.isEmpty && printed.errors.contains("영화"), "\(printed)")
        let answer: FilmAnswer = try await scene.gateway("movie 00000000 --json").decoded()
        #expect(!answer.complete && answer.movie.status == "failed" && answer.movie.value == nil)
    }

    @Test func `a title without a poster is reported as such`() async {
        let printed = await scene.gateway("poster", "포스터 없는 밤")
        #expect(printed.status == 66 && printed.errors.contains("포스터 없는 밤"), "\(printed)")
    }

    @Test(arguments: [
        ("어제 --area 부산산", "'부산시'인가요?"), ("show 2019-03", "gateway chart 2019-03, gateway top 2019-03"),
        ("chart 2019-03-15 2019-03-16", "기간은 2022-01-05..2022-01-31처럼 쓰세요."), ("chart --csv", "-o csv 옵션을 쓰세요."),
        ("run", "순위는 따옴표와 함께 씁니다: '#1'"), ("year", "사용하세요: gateway top 2022-01"),
        ("2025-12-05~2025-12-01", "기간의 끝(2025-12-01)이 시작(2025-12-05)보다 앞섭니다."),
    ])
    func `a wrong command line says what to write instead`(line: String, advice: String) async {
        let printed = await scene.gateway(line)
        #expect(printed.status == 64 && printed.errors.contains(advice), "\(printed)")
    }

    @Test(arguments: [
        "poster pin", "poster pin 20199001 two", "movie", "show --top 0", "show --top 11", "chart --timeout 0",
        "chart --lang fr", "chrat", "show --colour", "chart --area Atlantis", "chart --nation french",
        "chart --weekly --weekend", "chart --broker nowhere", "cache purge nonsense", "cache purge char",
        "cache purge nonsense?x=1", "help nope", "help cache nope", "poster #1 --save - --json",
    ])
    func `a wrong command line is a usage error`(line: String) async {
        let printed = await scene.gateway(line)
        #expect(printed.status == 64 && printed.output.isEmpty && printed.errors.hasPrefix("gateway: "), "\(printed)")
    }
}
