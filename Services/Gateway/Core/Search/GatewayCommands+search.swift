import Assembly
public import BoxOffice
import Envelope
import Localization
import TerminalText

extension GatewayCommands {
    /// A page of the matching films in KOBIS's catalogue.
    public func search(_ search: FilmSearch) async throws -> Answer {
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
                [text.heading(page, search)] + FilmText(language: language).note(outcome, language("검색", "search"))
            return Answer(lines: lines + [""] + text.lines(page.films), notes: notes, exitStatus: exitStatus)
        case .fields, .records:
            var answer = try answer(
                (page?.films ?? []).map { FilmRecord($0) }, FilmRecord.searchFields,
                asked: ("title", search.title ?? ""), isComplete: outcome.status == .ok,
                page == nil ? failure : nil)
            // An empty result is a table without rows, also with exit status 66.
            (answer.notes, answer.exitStatus) = (notes, exitStatus)
            return answer
        }
    }
}
