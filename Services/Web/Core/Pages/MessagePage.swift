import Domain
import Envelope
import Localization
import Wording

/// A page of text: an error with what to do, or what the site is.
struct MessagePage {
    let frame: PageFrame

    private var language: Language { frame.language }

    /// - Parameters:
    ///   - again: the address that may succeed later; nil when a retry is no use.
    ///   - how: the link to how the query was answered.
    func error(
        _ heading: String, _ paragraphs: [String], again: String? = nil, date: Day? = nil, how: PageLink? = nil
    ) -> [UInt8] {
        let head = PageHead(title: heading, description: heading, date: date, isIndexed: false)
        let button = again.map { address -> HTML in
            "<p><a class=\"button\" href=\"\(address)\">\(language("다시 시도", "Try again"))</a></p>\n"
        }
        let yesterday = frame.link(.chart(.daily(frame.yesterday), .list), language("어제의 차트", "Yesterday's chart"))
        let latest: HTML = "<p><a href=\"\(yesterday.href)\">\(yesterday.text)</a></p>\n"
        return frame.page(
            head, "\(text(heading, paragraphs))\(button)\(latest)\(frame.dateForm(date))\(frame.how(how))")
    }

    private func text(_ heading: String, _ paragraphs: [String]) -> HTML {
        "<div class=\"head\"><h1>\(heading)</h1></div>\n\(paragraphs.map { "<p>\($0)</p>\n" })"
    }

    /// A failure of the part that the page cannot do without.
    ///
    /// - Parameter reason: in the words of a visitor.
    func failure(
        _ failure: Failure, _ reason: String, again: String, date: Day? = nil, how: PageLink? = nil
    ) -> [UInt8] {
        let heading =
            failure.isRetryable
            ? language("페이지를 일시적으로 표시할 수 없습니다.", "This page is temporarily unavailable.")
            : language("페이지를 표시할 수 없습니다.", "This page cannot be shown.")
        return error(heading, [reason], again: failure.isRetryable ? again : nil, date: date, how: how)
    }

    /// An address without a page.
    func unknown(_ error: RouteError) -> [UInt8] {
        switch error {
        case .unknown:
            self.error(
                language("없는 페이지입니다.", "Page not found"),
                [language("주소를 확인하거나 날짜를 고르세요.", "Check the address, or choose a date.")])
        case .parameter(let name):
            self.error(
                language(
                    "주소의 \(self.name(of: name)) 값이 올바르지 않습니다.", "The address has an invalid \(self.name(of: name))."),
                [language("값을 지우거나 화면에서 고르세요.", "Remove it, or choose from the page.")])
        case .day(let error):
            self.error(language("이 날짜의 차트는 없습니다.", "There is no chart for this date."), [reason(error)])
        }
    }

    private func reason(_ error: ChartDayError) -> String {
        guard case .notADay(let text) = error else { return error.message(language) }
        return language(
            "\("'\(text)'".with(.topic)) 날짜가 아닙니다. 아래에서 날짜를 고르세요.", "'\(text)' is not a date. Choose one below.")
    }

    /// A parameter of an address as a page names it.
    private func name(of parameter: String) -> String {
        switch parameter {
        case "q": language("제목", "title")
        case "director": language("감독", "director")
        case "opened": language("개봉 연도(예: 2019, 2019-2021)", "release year (e.g. 2019 or 2019-2021)")
        case "page": language("쪽 번호", "page number")
        case "area": language("지역", "region")
        case "nation": language("국적", "nation")
        case "diversity": language("구분", "kind of film")
        case "view": language("보기 방식", "layout")
        case "film": language("영화(최대 6편, 제목은 100자까지)", "film (at most six, titles of at most 100 characters)")
        case "range":
            language(
                "기간(예: 2022, 2022-01, 2022-01-05 ~ 2022-01-31)", "period (e.g. 2022, 2022-01 or 2022-01-05..2022-01-31)"
            )
        case "by": language("비교 기준", "basis of the comparison")
        case "chart": language("차트", "chart")
        default: parameter
        }
    }

    func about(_ posters: PosterUse) -> [UInt8] {
        let title = language("출처와 안내", "Sources and notes")
        let head = PageHead(address: .about, title: title, description: language("자료의 출처", "Where the data comes from"))
        let paragraphs = [
            language(
                "박스오피스와 영화 정보의 출처는 영화진흥위원회 통합전산망(KOBIS) 오픈 API입니다. 이 사이트는 영화진흥위원회와 관련이 없습니다.",
                "Charts and film data come from the open API of KOBIS, the ticketing system of the Korean Film Council (영화진흥위원회). This site is not affiliated with KOFIC."
            ),
            language(
                "2011년 이전의 차트는 전국의 모든 극장을 포함하지 않습니다.",
                "Charts before 2011 do not cover all cinemas of the country."),
            language(
                "오늘의 차트는 다음 날 발표되고, 그날 낮 12시(한국 시각)까지 수정됩니다.",
                "The chart of a day is published on the next day, and is corrected until noon in Seoul."),
            language(
                "D+14: 개봉 14일 뒤. 개봉일은 D+0입니다. 잠정: 수정될 수 있는 수치. 확정: 더는 수정되지 않는 수치.",
                "D+14: 14 days after the release; the day of release is D+0. Provisional: figures that may change. Settled: figures that no longer change."
            ),
            posters == .off
                ? language("포스터는 표시하지 않습니다.", "Posters are not shown.")
                : language(
                    "포스터의 저작권은 각 권리자에게 있으며, 카카오(다음) 이미지 검색으로 찾습니다. 영화 페이지에 출처를 표시하고, 이미지는 메모리에만 보관합니다.",
                    "Posters are works of third parties, found by Kakao (Daum) image search. The page of a film names the source; images are kept in memory only."
                ),
        ]
        return frame.page(head, text(title, paragraphs))
    }
}
