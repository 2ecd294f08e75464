import ArgumentParser
import CommandKit
import ProcessKit

struct ShowCommand: AnsweringCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "show",
            abstract: say("어느 날의 차트와 영화 상세, 포스터.", "The chart of a day with details and posters."),
            discussion: """
                EXAMPLES
                  gateway show 2022-01-05 --top 3 --grid
                  gateway show 어제 --lang en
                  gateway show -7d --format csv --fields rank,title,audience > week.csv
                  gateway show --offline --strict && echo \(say("모두 새것으로 저장되어 있음", "all of it is stored and fresh"))
                """)
    }

    @Argument(
        help: .words(
            "2022-01-05, -1d, -1w, 어제, 그제. 기본값: 서울의 어제.",
            "2022-01-05, 2022.1.5, 20220105, -1d, -1w, yesterday; default: yesterday in Seoul."),
        completion: Completions.days)
    var date: String?
    @OptionGroup var count: TopOption
    @OptionGroup var moment: AsOfOption
    @OptionGroup var format: FormatOptions
    @OptionGroup var view: ViewOptions
    @OptionGroup var policy: PolicyOptions
    @OptionGroup var common: CommonOptions

    func answer(in context: CommandContext) async throws -> Answer {
        try await common.answer(in: context, policy, format: format, view: view.view) {
            try await $0.show(DateArgument.resolve(date, now: context.clock.now()), top: count.top, asOf: moment.moment)
        }
    }
}
