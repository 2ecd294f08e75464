import ArgumentParser
import Assembly
import CommandKit
import Domain
import ProcessKit

/// A film by its code, rank or title.
struct FilmArgument: ParsableArguments {
    @Argument(
        help: .words(
            "영화 코드, 순위(예: '#3'), 제목 또는 제목의 일부",
            "KOBIS code, rank (e.g. '#3'), or title or part of it."), completion: Completions.films)
    var film: String

    @Option(
        help: .words(
            "순위의 기준일, 집계의 마지막 날 (기본값: 어제)",
            "Chart day for ranks such as '#1', and the last day shown (default: yesterday in Seoul)."),
        completion: Completions.days)
    var date: String?

    func validate() throws {
        guard film.contains(where: { !$0.isWhitespace }), film.utf8.count <= FilmSearch.maxTextBytes else {
            throw ValidationError.usage(
                "영화 코드, '#3' 같은 순위, 또는 \(FilmSearch.maxTextBytes)바이트까지의 제목을 쓰세요.",
                "Give a film's code, its rank as '#3', or a title of \(FilmSearch.maxTextBytes) bytes at most.")
        }
    }

    var reference: FilmReference { FilmReference(film) }

    func day(in context: CommandContext) throws -> Day { try DateArgument.resolve(date, now: context.clock.now()) }
}
