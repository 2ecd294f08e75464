import ArgumentParser
import CommandKit
import ProcessKit
import Records

struct ShowCommand: FieldCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "show",
            abstract: say("일별 차트를 영화 상세 정보, 포스터와 함께 출력", "Show a day's chart with film details and posters."),
            discussion: """
                EXAMPLES
                  \(Installation.gateway) show 2022-01-05 --top 3 --grid
                  \(Installation.gateway) show 어제 --lang en
                  \(Installation.gateway) show -7d --format csv --fields rank,title,audience > week.csv
                  \(Installation.gateway) show --offline --strict && echo \(say("캐시가 모두 유효", "everything is cached and fresh"))
                """)
    }
    static var fieldNames: [String] { FilmRecord.showFields.map(\.name) }

    @Argument(
        help: .words(
            "날짜, 예: 2022-01-05, -1d (기본값: 어제, 서울 기준)",
            "Date, e.g. 2022-01-05, 20220105, -1d, yesterday (default: yesterday in Seoul)."),
        completion: Completions.days)
    var date: String?
    @OptionGroup var count: TopOption
    @OptionGroup var moment: AsOfOption
    @OptionGroup var format: FormatOptions
    @OptionGroup var view: ViewOptions
    @OptionGroup var policy: PolicyOptions
    @OptionGroup var common: CommonOptions

    func answer(in context: CommandContext) async throws -> Answer {
        let day = try DateArgument.resolve(date, now: context.clock.now())
        return try await common.answer(in: context, policy, format: format, view: view.view) {
            try await $0.show(day, top: count.top, asOf: moment.moment)
        }
    }
}
