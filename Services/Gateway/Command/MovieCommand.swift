import ArgumentParser
import Assembly
import BoxOffice
import GatewayCore
import ProcessKit

struct MovieCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "movie",
        abstract: say(
            "영화 상세와, 저장된 차트에서 알 수 있는 것.", "The detail of a film, and what follows from the charts that are stored."),
        discussion: """
            EXAMPLES
              gateway movie 20199882
              gateway movie '#3' --date 2022-01-05      \(say("그날 차트의 3위", "the third of that day's chart"))
              gateway movie '경관의 피'                  \(say("어제 차트, 저장된 차트, 목록에서", "in yesterday's chart, in stored ones, or in the catalogue"))
            """)
    @Argument(
        help: .words(
            "영화 코드, '#3' 같은 순위, 또는 제목이나 그 일부.",
            "The film's KOBIS code, its rank as '#3', or its title or a part of it."), completion: FilmCompletion.kind)
    var film: String
    @Option(
        help: .words(
            "순위의 기준일, 차트는 이날까지. 기본값: 서울의 어제.",
            "The day whose chart ranks are of, and up to which charts are looked at; default: yesterday in Seoul."))
    var date: String?
    @OptionGroup var format: FormatOptions
    @OptionGroup var policy: PolicyOptions
    @OptionGroup var common: CommonOptions

    func validate() throws {
        guard film.contains(where: { !$0.isWhitespace }), film.utf8.count <= FilmSearch.maxTextBytes else {
            throw ValidationError.usage(
                "영화 코드, '#3' 같은 순위, 또는 \(FilmSearch.maxTextBytes)바이트까지의 제목을 쓰세요.",
                "Give a film's code, its rank as '#3', or a title of \(FilmSearch.maxTextBytes) bytes at most.")
        }
    }

    func run() async {
        await common.answer(policy, format: format) {
            try await $0.movie(FilmReference(film), on: DateArgument.resolve(date, now: WallClock.system.now()))
        }
    }
}
