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
                  0  \(say("답함. 일부이거나 오래된 것이라도, --strict가 아니면", "answered; in part or with old parts, too, unless --strict"))
                 64  \(say("명령줄을 알아들을 수 없음", "the command line cannot be understood"))
                 65  \(say("업스트림의 답이 잘못되었거나, 업스트림이 요청을 거절함", "the upstream answered nonsense, or refused in its own words"))
                 66  \(say("그런 영화, 포스터, 차트, 질의가 없음. --offline: 저장된 것이 없음", "no such film, poster, chart or query; offline: nothing stored"))
                 69  \(say("스택이나 업스트림에 닿지 않음", "the stack or the upstream cannot be reached"))
                 70  \(say("우리 프로그램의 결함, 또는 서로 다른 버전의 프로그램", "a defect of these programs, or programs of different releases"))
                 74  \(say("파일이나 stdout에 쓸 수 없음", "a file or stdout cannot be written"))
                 75  \(say("나중에 다시: 너무 늦음, 너무 많음, 아직 발표 전. --strict: 다 오지 않음", "try again later: too late, too much, not yet published; --strict: not all"))
                 77  \(say("업스트림이 키를 받아들이지 않음", "the upstream does not accept the key"))
                 78  \(say("키나 설정이 없거나 잘못됨", "a key or setting is missing or wrong"))
                130  \(say("Ctrl-C. 143: TERM으로 끝남", "Ctrl-C; 143: ended by TERM"))

                \(say("출력을 다 읽지 않고 파이프를 닫아도 0입니다.", "A reader that closes the pipe early is no failure: that is 0."))
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
