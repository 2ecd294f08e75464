import ArgumentParser
import BoxOffice
import GatewayCore

struct SearchCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "search",
        abstract: say("KOBIS 목록에서 찾은 영화.", "The films in KOBIS's catalogue that fit."),
        discussion: """
            EXAMPLES
              gateway search 등대
              gateway search --director 봉준호 --opened 2000-2019
              gateway search 밀수 --json=code,title,openingDay
            """)
    @Argument(help: .words("한국어 제목의 일부.", "A part of the Korean title."))
    var title: String?
    @Option(help: .words("감독 이름의 일부.", "A part of a director's name."))
    var director: String?
    @Option(help: .words("개봉 연도, 또는 2019-2021 같은 기간.", "The year of its opening, or years as 2019-2021."))
    var opened: YearRange?
    @Option(
        help: .words(
            "제작 연도, 또는 2019-2021 같은 기간.", "The year in which it was produced, or years as 2019-2021."))
    var produced: YearRange?
    @Option(help: .words("찾은 것 가운데 몇째 쪽, 1부터.", "Which page of what was found, from 1."))
    var page = 1
    @Option(help: .words("한 쪽의 영화 수, 1부터 100까지.", "Films a page, 1 to 100."))
    var limit = 20
    @Flag(help: .words("성인물도.", "Adult films, too."))
    var adult = false
    @OptionGroup var format: FormatOptions
    @OptionGroup var policy: PolicyOptions
    @OptionGroup var common: CommonOptions

    func validate() throws {
        guard [title, director].contains(where: { $0?.contains { !$0.isWhitespace } == true }) else {
            throw ValidationError.usage("제목의 일부나 --director를 쓰세요.", "Give a part of a title, or --director.")
        }
        guard [title, director].allSatisfy({ ($0 ?? "").utf8.count <= FilmSearch.maxTextBytes }) else {
            throw ValidationError.usage(
                "제목과 이름은 \(FilmSearch.maxTextBytes)바이트까지입니다.",
                "A title or a name takes \(FilmSearch.maxTextBytes) bytes at most.")
        }
        guard PageSize(limit) != nil else {
            throw ValidationError.usage("--limit은 1부터 100까지입니다.", "--limit takes 1 to 100.")
        }
        guard PageNumber(page) != nil else {
            throw ValidationError.usage("--page는 1부터 1000000까지입니다.", "--page takes 1 to 1000000.")
        }
    }

    func run() async {
        let search = FilmSearch(
            title: title, director: director, productionYears: produced?.years, openingYears: opened?.years,
            page: PageNumber(clamping: page), pageSize: PageSize(clamping: limit), includesAdultFilms: adult)
        await common.answer(policy, format: format) { try await $0.search(search) }
    }
}

/// "2019" or "2019-2021".
struct YearRange: ExpressibleByArgument {
    let years: ClosedRange<Year>

    init?(argument: String) {
        guard let match = argument.wholeMatch(of: /([0-9]{4})(?:-([0-9]{4}))?/),
            let first = Int(match.1).flatMap(Year.init),
            let last = match.2.map({ Int($0).flatMap(Year.init) }) ?? first, first <= last
        else { return nil }
        years = first...last
    }
}
