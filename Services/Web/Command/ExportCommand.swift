import ArgumentParser
import BusSettings
import CommandKit
import Domain
import Envelope
import Localization
import MessageBus
import ProcessKit
import ServiceKit
import WebCore
import Wording

struct ExportCommand: ServiceCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "export",
            abstract: say("기간의 페이지를 상대 링크로 된 파일로 저장", "Write the pages of a range as files with relative links."),
            discussion: say(
                """
                날짜별 차트, 영화, 월, 연도 페이지를 저장합니다. 공개할 사이트의 주소를
                BOXOFFICE_WEB_URL에 정하면 피드도 저장합니다. 저장되지 않은 영화와 차트는
                BOXOFFICE_WEB_CALLS 한도 안에서 가져옵니다.
                먼저 아카이브를 채우세요: \(Installation.gateway) archive fill RANGE --details
                페이지의 언어는 --lang, BOXOFFICE_LANG, 로캘 순으로 정합니다.

                """,
                """
                Writes each day's chart, its films, the months and years. With BOXOFFICE_WEB_URL, the address of the \
                published site, also a feed. Films and charts that are not stored are fetched within \
                BOXOFFICE_WEB_CALLS; fill the archive first: \(Installation.gateway) archive fill RANGE --details. The pages are in \
                the language of --lang, else of BOXOFFICE_LANG, else of the locale.

                """) + """

                    EXAMPLES
                      \(Installation.program("web")) export site 2022-01
                      BOXOFFICE_WEB_URL=https://films.example \(Installation.program("web")) export site -30d.. --lang en
                    """)
    }

    static let isLogged = false
    private static let brokerLimit: Duration = .seconds(5)

    @Argument(help: .words("새 디렉터리, 빈 디렉터리, 이전에 내보낸 디렉터리", "New or empty directory, or that of an earlier export."))
    var directory: String
    @Argument(
        help: .words(
            "기간. 예: 2022, 2022-01, 2022-01-05..2022-01-31",
            "A day, week, month, year or range, e.g. 2022-01 or 2022-01-05..2022-01-31."))
    var range: String
    @OptionGroup var endpoint: BrokerOption
    /// Also that of the pages.
    @OptionGroup var language: LanguageOption

    func run(_ environment: Environment) async throws -> Int32 {
        let days: ClosedRange<Day>
        do {
            days = try DayRangeParser(now: WallClock.system.now()).parse(range)
        } catch let error as DayRangeError {
            throw StartupError(error.message, exitStatus: ExitStatus.usage)
        } catch let error as ChartDayError {
            throw StartupError(error.message, exitStatus: ExitStatus.usage)
        }
        let configuration = try WebConfiguration(environment)
        let bus = try BusConfiguration.find(endpoint.broker, environment, instance: InstanceName.unique("web"))
        let result = try await withMessageBus(bus) { bus in
            do {
                // Otherwise each page would be reported as missing.
                try await bus.ping(deadline: .now + Self.brokerLimit)
            } catch let failure as Failure {
                throw StartupError(failure.message, exitStatus: ExitStatus.unavailable)
            }
            return try await SiteExport(to: directory, bus: bus, configuration, language: OutputLanguage.current).run(
                days)
        }
        LineOutput.note(text(result))
        return result.missing.isEmpty ? ExitStatus.complete : ExitStatus.temporary
    }

    private func text(_ result: SiteExport.Result) -> String {
        let feed = result.hasFeed ? ", feed.atom" : ""
        let missing = result.missing.map { "\(say("응답 없음", "no answer")): \($0)\n" }.joined()
        let hint =
            result.hasFeed
            ? ""
            : say(
                "피드는 쓰지 않았습니다. 공개할 사이트의 주소를 BOXOFFICE_WEB_URL에 정하세요.\n",
                "No feed: set BOXOFFICE_WEB_URL to the address of the published site.\n")
        let pages = say(
            "페이지 \(result.pages)개, 포스터 \(result.posters)개", "\(result.pages) pages, \(result.posters) posters")
        return missing + "\(directory): \(pages)\(feed)\n" + hint
    }
}
