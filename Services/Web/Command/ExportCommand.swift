public import ArgumentParser
import BusSettings
import Domain
public import Localization
import MessageBus
import ProcessKit
import ServiceKit
import WebCore
import Wording

struct ExportCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export", abstract: "Write the pages of a range as files with relative links.",
        discussion: """
            Writes each day's chart, its films, the months and years. With BOXOFFICE_WEB_URL, the address of the
            published site, also a feed. Films and charts that are not stored are fetched within
            BOXOFFICE_WEB_CALLS; fill the archive first: \(Installation.gateway) archive fill RANGE --details.

            EXAMPLES
              \(Installation.program("web")) export site 2022-01
              BOXOFFICE_WEB_URL=https://films.example \(Installation.program("web")) export site -30d.. --lang en
            """)

    @Argument(help: "New or empty directory, or that of an earlier export.") var directory: String
    @Argument(help: "A day, week, month, year or range, e.g. 2022-01 or 2022-01-05..2022-01-31.") var range: String
    @Option(help: "Language of the pages: ko or en.") var lang = Language.ko
    @Option(help: "Endpoint of the broker (default: $BOXOFFICE_BROKER, else the run directory's).") var broker: String?

    func run() async {
        await ServiceProcess.main { environment in
            let days: ClosedRange<Day>
            do {
                days = try DayRangeParser(now: WallClock.system.now()).parse(range)
            } catch let error as DayRangeError {
                throw StartupError(error.message, exitStatus: ExitStatus.usage)
            } catch let error as ChartDayError {
                throw StartupError(error.message, exitStatus: ExitStatus.usage)
            }
            let configuration = try WebConfiguration(environment)
            let bus = try BusConfiguration.find(broker, environment, instance: InstanceName.unique("web"))
            let result = try await withMessageBus(bus) { bus in
                try await SiteExport(to: directory, bus: bus, configuration, language: lang).run(days)
            }
            LineOutput.note(text(result))
            return result.missing.isEmpty ? ExitStatus.complete : ExitStatus.temporary
        }
    }

    private func text(_ result: SiteExport.Result) -> String {
        let feed = result.hasFeed ? ", feed.atom" : ""
        let missing = result.missing.map { "no answer: \($0)\n" }.joined()
        let hint = result.hasFeed ? "" : "No feed: set BOXOFFICE_WEB_URL to the address of the published site.\n"
        return missing + "\(directory): \(result.pages) pages, \(result.posters) posters\(feed)\n" + hint
    }
}

extension Language: ExpressibleByArgument {}
