import ArgumentParser
import CommandKit
import ProcessKit
import ServiceKit
import TerminalText

struct ExitCodesCommand: AnsweringCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "exit-codes", abstract: say("종료 코드 설명", "Explain the exit codes."),
            discussion: """
                  0  \(say("성공(--strict를 쓰지 않으면 일부가 누락되거나 만료된 경우도 포함)", "success; without --strict, also if parts are missing or stale"))
                 64  \(say("명령이나 옵션이 잘못됨", "invalid command or option"))
                 65  \(say("업스트림이 잘못된 응답을 보냈거나 요청을 거부함", "the upstream returned an invalid response or an error"))
                 66  \(say("영화, 포스터, 차트, 질의를 찾을 수 없음. --offline: 캐시에 없음", "film, poster, chart or query not found; --offline: not in the cache"))
                 69  \(say("스택이나 업스트림에 연결할 수 없음", "the stack or the upstream cannot be reached"))
                 70  \(say("내부 오류 또는 프로그램 간 버전 불일치", "internal error, or programs of different versions"))
                 74  \(say("파일이나 stdout에 쓸 수 없음", "a file or stdout cannot be written"))
                 75  \(say("일시적 실패: 시간 초과, 한도 초과, 발표 전. --strict: 누락·만료된 부분 있음", "temporary: timeout, quota, not published; --strict: incomplete or stale"))
                 77  \(say("업스트림이 API 키를 거부함", "the upstream does not accept the key"))
                 78  \(say("키나 설정이 없거나 잘못됨", "a key or setting is missing or wrong"))
                130  \(say("Ctrl-C로 종료됨", "interrupted by Ctrl-C"))
                143  \(say("SIGTERM으로 종료됨", "terminated by SIGTERM"))

                \(say("출력을 다 읽기 전에 파이프가 닫혀도 종료 코드는 0입니다.", "If the reader closes the pipe early (e.g. head), the exit code is 0."))
                """)
    }

    @OptionGroup var language: LanguageOption

    func answer(in context: CommandContext) async throws -> Answer {
        let lines = Self.configuration.discussion.split(separator: "\n", omittingEmptySubsequences: false)
        return Answer(
            lines: lines.flatMap { line in
                // Continued below the meaning, which follows the code.
                TextWidth.narrow.wrap(String(line), columns: context.outputColumns, indent: line.hasPrefix(" ") ? 5 : 0)
            })
    }
}
