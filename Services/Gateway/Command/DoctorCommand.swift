import ArgumentParser
import GatewayCore
import ProcessKit

struct DoctorCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor",
        abstract: say(
            "답에 필요한 것의 점검과 해결 방법.",
            "Check all that an answer needs, and say how to fix problems."),
        discussion: """
            EXAMPLES
              gateway doctor
              gateway doctor --bundle report.json    \(say("남이 살피는 데 필요한 모든 것", "all that somebody else needs to see what is wrong"))

            \(say("시작하지 않는 스택은 compose/stack doctor가 살핍니다.", "compose/stack doctor looks at a stack that does not start."))
            """)
    @Option(
        help: .words(
            "진단에 필요한 것을 모두 쓸 파일(키와 주소 제외).",
            "File to write everything to that helps others to help, without keys and addresses."))
    var bundle: String?
    @OptionGroup var common: CommonOptions

    func run() async {
        await common.answer { commands in
            let environment = try Environment.load()
            guard let bundle else { return try await commands.doctor(environment) }
            let settings = SettingsReport(
                environment, broker: common.broker, language: common.language.lang, isColourless: common.noColor)
            return try await commands.doctor(environment, settings: settings, bundle: bundle)
        }
    }
}
