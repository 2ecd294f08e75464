import Contracts
import Domain
import Envelope
import Localization
import ProcessKit
import TerminalText
import Wording

/// Films of the catalogue as lines of text.
struct SearchText {
    let language: Language
    let style: TextStyle
    var width = TextWidth.narrow
    /// Columns of the terminal; nil without a limit.
    var columns: Int?

    /// The search terms, and which part of the results this page is.
    func heading(_ page: FilmPage, _ search: FilmSearch, source: DataSource?) -> String {
        let (first, last) = places(page, search)
        let total = page.total.value.withSeparators
        let hidden = last - first + 1 - page.films.count
        let pieces = [
            Self.searchTerms(search, language), language("KOBIS 목록", "KOBIS catalogue"),
            language("\(total)편 가운데 \(first)~\(last)", "\(first) to \(last) of \(total)"),
            hidden > 0 && !search.includesAdultFilms
                ? language("성인 영화 \(hidden)편 제외 (--adult)", "without \(hidden) adult ones (--adult)") : nil,
            page.total.value > last
                ? language("다음: --page \(search.page.value + 1)", "next: --page \(search.page.value + 1)") : nil,
            source?.label?(language),
        ].compactMap(\.self)
        return pieces.map { TextPiece($0) }.joined(columns: columns, indent: 0, width)
    }

    /// For films of the archive: the catalogue has none.
    ///
    /// - Parameter hasCatalogue: whether the catalogue has answered.
    func archiveHeading(_ archived: ArchiveTitlesReply, _ search: FilmSearch, hasCatalogue: Bool) -> String {
        let (total, shown) = (archived.total.withSeparators, archived.films.count)
        let pieces = [
            Self.searchTerms(search, language),
            hasCatalogue && search.hasForeignTitle
                ? language(
                    "KOBIS 목록은 한국어 제목만 검색 · 저장된 차트에서 찾음",
                    "KOBIS knows Korean titles only; found in archived charts")
                : hasCatalogue
                    ? language("KOBIS 목록에 없음 · 저장된 차트에서 찾음", "not in KOBIS's catalogue, but in archived charts")
                    : language("저장된 차트에서만 검색", "in archived charts only"),
            shown < archived.total
                ? language("\(total)편 가운데 \(shown)편", "\(shown) of \(total)") : language("\(total)편", "\(total) found"),
            archived.source.label?(language),
        ].compactMap(\.self)
        return pieces.map { TextPiece($0) }.joined(columns: columns, indent: 0, width)
    }

    /// Code, title, opening day, director, genre, nation; on a narrow terminal columns are dropped from the end.
    func lines(_ films: [FilmSummary]) -> [String] {
        func column(_ head: String, _ priority: Int, _ text: (FilmSummary) -> String?) -> TextColumn {
            TextColumn(
                [TextPiece(head)] + films.map { TextPiece((text($0) ?? "-").printable) }, priority: priority)
        }
        let wording = FilmWording(language: language)
        let columns = [
            column(language("코드", "code"), 5, \.code),
            column(language("제목", "title"), TextColumn.required) {
                wording.title($0.title, english: $0.titleEnglish)
            },
            column(language("개봉", "opened"), 4) {
                $0.opening ?? $0.productionYear.map { language("(\($0) 제작)", "(made \($0))") }
            },
            column(language("감독", "director"), 3) {
                wording.list($0.directors.map { wording.name($0.name, english: $0.nameEnglish) })
            },
            column(language("장르", "genre"), 2) { wording.list($0.genres.map(wording.term)) },
            column(language("국적", "nation"), 1) { wording.list($0.nations.map(wording.term)) },
        ]
        return TextTable(columns, elastic: 1).layout(limit: self.columns, width).lines
    }

    private func places(_ page: FilmPage, _ search: FilmSearch) -> (first: Int, last: Int) {
        let before = (search.page.value - 1) * search.pageSize.value
        return (before + 1, min(page.total.value, before + search.pageSize.value))
    }

    fileprivate static func searchTerms(_ search: FilmSearch, _ language: Language) -> String {
        func years(_ years: ClosedRange<Year>) -> String {
            years.lowerBound == years.upperBound ? "\(years.lowerBound)" : FilmSearch.text(years)
        }
        let words = [
            search.title.map { "'\($0.printable)'" },
            search.director.map { language("감독 ", "director ") + $0.printable },
            search.openingYears.map { language("개봉 ", "opened ") + years($0) },
            search.productionYears.map { language("제작 ", "produced ") + years($0) },
        ].compactMap(\.self)
        return words.joined(separator: ", ")
    }
}

extension Failure {
    /// The reason why a page has no films, and what to do.
    static func nothing(_ page: FilmPage, _ search: FilmSearch) -> Failure {
        Failure(.notFound, sentence(page, search), isRetryable: false)
    }

    private static func sentence(_ page: FilmPage, _ search: FilmSearch) -> LocalizedText {
        let pages = (page.total.value + search.pageSize.value - 1) / search.pageSize.value
        if page.total > 0, search.page.value > pages {
            return LocalizedText(
                ko: "\(search.page)쪽은 없습니다. 모두 \(pages)쪽입니다.",
                en: "There is no page \(search.page); the last one is \(pages).")
        }
        if page.total > 0, !search.includesAdultFilms {
            return LocalizedText(
                ko: "성인 영화뿐입니다. 보려면 --adult를 쓰세요.", en: "All of these are adult films. Add --adult to see them.")
        }
        let fill = "\(Installation.gateway) archive fill RANGE --details"
        let advice =
            search.hasForeignTitle && search.director == nil
            ? LocalizedText(
                ko: "KOBIS 목록은 한국어 제목만 찾습니다. 영어 제목은 아카이브에 상세 정보가 있는 영화만 찾습니다: \(fill)",
                en: "KOBIS has Korean titles only. English titles are found once the details are archived: \(fill)")
            : search.title == nil
                ? LocalizedText(ko: "이름의 일부만 쓰거나 연도를 넓혀 보세요.", en: "Try a part of the name, or more years.")
                : LocalizedText(ko: "제목의 일부만 써 보세요.", en: "Try a part of the title.")
        return LocalizedText(
            ko: "\(SearchText.searchTerms(search, .ko)): 그런 영화가 없습니다. \(advice.ko)",
            en: "\(SearchText.searchTerms(search, .en)): There is no such film. \(advice.en)")
    }
}
