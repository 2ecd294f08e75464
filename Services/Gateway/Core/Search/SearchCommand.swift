import ArgumentParser
import Assembly
import CommandKit
import Domain
import Envelope
import Localization
import TerminalText

struct SearchCommand: AnsweringCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "search",
            abstract: say("KOBIS 목록에서 찾은 영화.", "The films in KOBIS's catalogue that fit."),
            discussion: """
                EXAMPLES
                  gateway search 등대
                  gateway search --director 봉준호 --opened 2000-2019
                  gateway search 밀수 --json=code,title,openingDay
                """)
    }

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
    var limit = FilmSearch.usualPageSize.value
    @Flag(help: .words("성인 영화 포함.", "Includes adult films."))
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

    func answer(in context: CommandContext) async throws -> Answer {
        let search = FilmSearch(
            title: title, director: director, productionYears: produced?.years, openingYears: opened?.years,
            page: PageNumber(clamping: page), pageSize: PageSize(clamping: limit), includesAdultFilms: adult)
        return try await common.answer(in: context, policy, format: format) { try await $0.search(search) }
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

extension GatewayCommands {
    /// A page of the matching films in KOBIS's catalogue.
    func search(_ search: FilmSearch) async throws -> Answer {
        try presentation.check(FilmRecord.searchFields)
        return try presentation.search(await query.search(search), search)
    }
}

extension Presentation {
    /// A page of films; an empty page exits with 66.
    func search(_ outcome: PartOutcome, _ search: FilmSearch) throws -> Answer {
        let page = try outcome.value.map { try JSONBytes.decode(FilmPage.self, from: $0) }
        let text = SearchText(language: language, style: style, width: width, columns: columns)
        let isEmptyResult = page?.films.isEmpty == true
        let failure = page.map { isEmptyResult ? Failure.nothing($0, search) : nil } ?? outcome.failure
        let (notes, exitStatus) = ending(failure, isComplete: outcome.status == .ok)
        switch format {
        case .json:
            return Answer(
                output: try AnswerJSON.search(outcome, asked: search), notes: notes, exitStatus: exitStatus)
        case .text:
            guard let page, !isEmptyResult else { return Answer(notes: notes, exitStatus: exitStatus) }
            let lines =
                [text.heading(page, search, source: outcome.source)]
                + filmText.note(outcome, language("검색", "search"))
            return Answer(lines: lines + [""] + text.lines(page.films), notes: notes, exitStatus: exitStatus)
        case .fields, .records:
            var answer = try answer(
                (page?.films ?? []).map { FilmRecord($0, of: outcome) }, FilmRecord.searchFields,
                asked: ("title", search.title ?? ""), isComplete: outcome.status == .ok,
                page == nil ? failure : nil)
            // An empty result is a table without rows, also with exit status 66.
            (answer.notes, answer.exitStatus) = (notes, exitStatus)
            return answer
        }
    }
}
