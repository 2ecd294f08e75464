import ArgumentParser
import CommandKit
import ProcessKit

struct ChartCommand: AnsweringCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "chart",
            abstract: say("어느 날이나 주의 차트만.", "The chart of a day or of a week alone."),
            discussion: """
                EXAMPLES
                  gateway chart 2022-01-05
                  gateway chart --weekend -7d --area 서울
                  gateway chart --nation korean --diversity diverse
                """)
    }

    @Argument(
        help: .words(
            "show의 날짜, 또는 주의 아무 날. 기본값: 서울의 어제.",
            "A date as show takes it, or any day of a week; default: yesterday in Seoul."),
        completion: Completions.days)
    var date: String?
    @OptionGroup var count: TopOption
    @OptionGroup var filter: ChartOptions
    @OptionGroup var format: FormatOptions
    @OptionGroup var view: ViewOptions
    @OptionGroup var policy: PolicyOptions
    @OptionGroup var common: CommonOptions

    func answer(in context: CommandContext) async throws -> Answer {
        try await common.answer(in: context, policy, format: format, view: view.view) {
            try await $0.chart(
                filter.selection(
                    around: DateArgument.resolve(date, now: context.clock.now()), isGiven: date != nil),
                top: count.top)
        }
    }
}
