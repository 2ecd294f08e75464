import ArgumentParser
import Assembly
import CommandKit
import Contracts
import Domain
import Envelope
import Localization
import ProcessKit
import Records
import TerminalText

struct SearchCommand: FieldCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "search",
            abstract: say("KOBIS 목록에서 영화 검색", "Search the KOBIS catalogue."),
            discussion: """
                EXAMPLES
                  \(Installation.gateway) search 등대
                  \(Installation.gateway) search --director 봉준호 --opened 2000-2019
                  \(Installation.gateway) search 밀수 --json=code,title,openingDay

                \(say("KOBIS 목록은 한국어 제목만 찾습니다.\n목록에 없으면 아카이브의 한국어와 영어 제목에서 찾습니다. 영어 제목은\n상세 정보와 함께 저장됩니다: \(Installation.gateway) archive fill RANGE --details", "The KOBIS catalogue has Korean titles only. If nothing matches,\nthe archive's Korean and English titles are searched. English titles are\narchived with the details: \(Installation.gateway) archive fill RANGE --details"))
                """)
    }
    static var fieldNames: [String] { FilmRecord.searchFields.map(\.name) }

    @Argument(help: .words("제목의 일부", "Part of the title."))
    var title: String?
    @Option(help: .words("감독 이름의 일부", "Part of a director's name."))
    var director: String?
    @Option(
        help: .words("개봉 연도 또는 기간, 예: 2019, 2019-2021", "Year of release or range of years, e.g. 2019 or 2019-2021."))
    var opened: YearRange?
    @Option(
        help: .words(
            "제작 연도 또는 기간, 예: 2019, 2019-2021", "Year of production or range of years, e.g. 2019 or 2019-2021."))
    var produced: YearRange?
    @Option(help: .words("결과의 쪽 번호, 1부터", "Page of the results, from 1."))
    var page = 1
    @Option(help: .words("쪽당 영화 수, 1~100", "Films per page, 1 to 100."))
    var limit = FilmSearch.usualPageSize.value
    @Flag(help: .words("성인 영화 포함", "Include adult films."))
    var adult = false
    @OptionGroup var format: FormatOptions
    @OptionGroup var policy: PolicyOptions
    @OptionGroup var common: CommonOptions

    func validate() throws {
        guard [title, director].contains(where: { $0?.contains { !$0.isWhitespace } == true }) else {
            throw ValidationError.usage("제목의 일부나 --director를 쓰세요.", "Give part of a title, or use --director.")
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
        guard let years = FilmSearch.years(argument) else { return nil }
        self.years = years
    }
}

extension GatewayCommands {
    /// A page of the matching films in KOBIS's catalogue; without any, those of the archive.
    func search(_ search: FilmSearch) async throws -> Answer {
        try presentation.check(FilmRecord.searchFields)
        let outcome = try await query.search(search)
        let archived = try await query.archivedFilms(besides: outcome, of: search)
        return try presentation.search(outcome, search, archived: archived)
    }
}

extension Presentation {
    /// A page of films; an empty page exits with 66.
    ///
    /// - Parameter archived: the films of the archive, for a search without films in the catalogue.
    func search(
        _ outcome: PartOutcome, _ search: FilmSearch, archived: ArchiveTitlesReply? = nil
    ) throws -> Answer {
        if let archived, !archived.films.isEmpty { return try self.archived(archived, search, outcome) }
        let page = try outcome.value.map { try JSONBytes.decode(FilmPage.self, from: $0) }
        let text = SearchText(language: language, style: style, width: width, columns: columns)
        let isEmptyResult = page?.films.isEmpty == true
        let failure = page.map { isEmptyResult ? Failure.nothing($0, search) : nil } ?? outcome.failure
        let (notes, exitStatus) = ending(failure, isComplete: outcome.status == .ok)
        switch format {
        case .json:
            return Answer(
                output: try AnswerJSON.search(outcome, asked: search, archived: archived?.summaries), notes: notes,
                exitStatus: exitStatus)
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

    /// The catalogue has no such film, but the archive has.
    private func archived(
        _ archived: ArchiveTitlesReply, _ search: FilmSearch, _ catalogue: PartOutcome
    ) throws -> Answer {
        let films = archived.summaries
        var (notes, exitStatus) = ending(nil, isComplete: catalogue.status == .ok)
        if catalogue.value == nil, let failure = catalogue.failure {
            notes.append("\(Installation.gateway): \(FailureText(language: language).line(failure))")
        }
        switch format {
        case .json:
            return Answer(
                output: try AnswerJSON.search(catalogue, asked: search, archived: films), notes: notes,
                exitStatus: exitStatus)
        case .text:
            let text = SearchText(language: language, style: style, width: width, columns: columns)
            let heading = text.archiveHeading(archived, search, hasCatalogue: catalogue.value != nil)
            return Answer(lines: [heading, ""] + text.lines(films), notes: notes, exitStatus: exitStatus)
        case .fields, .records:
            let page = PartOutcome.fresh(
                [], cache: CacheStatus(hit: true), sender: nil, source: archived.source)
            var answer = try answer(
                films.map { FilmRecord($0, of: page) }, FilmRecord.searchFields, asked: ("title", search.title ?? ""),
                isComplete: catalogue.status == .ok, nil)
            answer.notes = notes
            return answer
        }
    }
}
