internal import Domain
public import Localization
internal import Wording

/// What a spreadsheet calls the fields and their fixed values: its reader does not know the names of the JSON.
public enum SpreadsheetWords {
    /// Nil for a field that has none.
    public static func heading(_ field: String) -> LocalizedText? { headings[field] }

    /// Whether a text names the field: as the JSON does, or as its heading in either language.
    public static func isName(_ text: String, of field: String) -> Bool {
        guard text != field, let heading = headings[field] else { return text == field }
        return [heading.ko, heading.en.lowercased()].contains(text.nfc.lowercased())
    }

    /// Nil for a text that is not one of the field's fixed values.
    static func value(_ text: String, of field: String) -> LocalizedText? {
        if field == "movement" { return movement(text) }
        if terms.contains(field) {
            return LocalizedText(ko: text, en: FilmWording(language: .en).term(text))
        }
        if field == "area" { return Region(rawValue: text).map { LocalizedText(ko: $0.korean, en: $0.english) } }
        guard fixed.contains(field) else { return nil }
        return values[text]
    }

    /// What a missing value of a chart's conditions means; nil for other fields.
    static func missing(_ field: String) -> LocalizedText? {
        switch field {
        case "area": LocalizedText(ko: "전국", en: "nationwide")
        case "nation", "diversity": LocalizedText(ko: "전체", en: "all")
        default: nil
        }
    }

    private static func movement(_ text: String) -> LocalizedText? {
        let words = text.split(separator: " ")
        guard let word = words.first.flatMap({ movements[String($0)] }) else { return nil }
        let ranks = words.dropFirst().map { " \($0)" }.joined()
        return LocalizedText(ko: word.ko + ranks, en: word.en + ranks)
    }

    private static let headings: [String: LocalizedText] = [
        "date": .init(ko: "날짜", en: "Date"), "day": .init(ko: "날짜", en: "Date"),
        "first": .init(ko: "시작일", en: "First day"), "last": .init(ko: "종료일", en: "Last day"),
        "lastDate": .init(ko: "차트 종료일", en: "Last day of the chart"), "area": .init(ko: "지역", en: "Region"),
        "nation": .init(ko: "국적 조건", en: "Nation (filter)"),
        "diversity": .init(ko: "영화 구분 조건", en: "Film type (filter)"),
        "rank": .init(ko: "순위", en: "Rank"), "place": .init(ko: "순위", en: "Place"),
        "rowNumber": .init(ko: "순번", en: "Row"), "movement": .init(ko: "변동", en: "Change of rank"),
        "rankChange": .init(ko: "순위 변동 폭", en: "Ranks gained"), "presence": .init(ko: "신규", en: "New entry"),
        "reentry": .init(ko: "재진입", en: "Re-entry"), "code": .init(ko: "영화코드", en: "Film code"),
        "title": .init(ko: "영화명", en: "Title"), "titleEnglish": .init(ko: "영화명(영문)", en: "English title"),
        "openingDay": .init(ko: "개봉일", en: "Opening day"), "opening": .init(ko: "개봉일", en: "Opening day"),
        "openingText": .init(ko: "개봉일(원문)", en: "Opening day (as published)"),
        // The figures of a chart, as the tables of KOBIS call them.
        "audience": .init(ko: "관객수", en: "Admissions"), "audienceChange": .init(ko: "관객수 증감", en: "Admissions change"),
        "audienceChangePercent": .init(ko: "관객수 증감률(%)", en: "Admissions change (%)"),
        "audienceTotal": .init(ko: "누적 관객수", en: "Total admissions"),
        "salesAmount": .init(ko: "매출액", en: "Sales (KRW)"),
        "salesShare": .init(ko: "매출액 점유율(%)", en: "Share of sales (%)"),
        "salesChange": .init(ko: "매출액 증감", en: "Sales change (KRW)"),
        "salesChangePercent": .init(ko: "매출액 증감률(%)", en: "Sales change (%)"),
        "salesTotal": .init(ko: "누적 매출액", en: "Total sales (KRW)"), "screens": .init(ko: "스크린수", en: "Screens"),
        "showings": .init(ko: "상영 횟수", en: "Showings"),
        // A film.
        "directors": .init(ko: "감독", en: "Directors"), "actors": .init(ko: "배우", en: "Cast"),
        "productionYear": .init(ko: "제작연도", en: "Production year"),
        "runningMinutes": .init(ko: "상영시간(분)", en: "Running time (min)"), "grade": .init(ko: "관람등급", en: "Rating"),
        "nations": .init(ko: "제작국가", en: "Countries"), "genres": .init(ko: "장르", en: "Genres"),
        "type": .init(ko: "유형", en: "Type"), "productionStatus": .init(ko: "제작상태", en: "Production status"),
        "companies": .init(ko: "제작사", en: "Companies"), "isDirector": .init(ko: "감독 여부", en: "As director"),
        "isActor": .init(ko: "출연 여부", en: "As actor"), "posterURL": .init(ko: "포스터 이미지", en: "Poster image"),
        "posterWidth": .init(ko: "포스터 너비", en: "Poster width"),
        "posterHeight": .init(ko: "포스터 높이", en: "Poster height"),
        "posterSite": .init(ko: "포스터 출처", en: "Poster source"),
        "posterPage": .init(ko: "포스터 출처 페이지", en: "Poster source page"),
        "posterConfidence": .init(ko: "포스터 신뢰도", en: "Poster confidence"),
        "detailStatus": .init(ko: "상세 정보 상태", en: "Detail status"),
        "posterStatus": .init(ko: "포스터 상태", en: "Poster status"),
        // A run, and what is counted over many days.
        "dayOfRelease": .init(ko: "개봉 후 일수", en: "Day of release"),
        "audienceWeekBefore": .init(ko: "전주 관객수", en: "Admissions a week before"),
        "correction": .init(ko: "이전 날짜 수치 정정", en: "Correction of earlier days"),
        "audiencePerScreen": .init(ko: "스크린당 관객수", en: "Admissions per screen"),
        "averagePrice": .init(ko: "객단가", en: "Average price (KRW)"),
        "state": .init(ko: "수치 상태", en: "State of the figures"),
        "source": .init(ko: "자료 출처", en: "Source of the data"), "charts": .init(ko: "차트 수", en: "Charts"),
        "isExact": .init(ko: "정확한 값", en: "Exact"), "firstCharted": .init(ko: "첫 차트", en: "First chart"),
        "lastCharted": .init(ko: "마지막 차트", en: "Last chart"), "kind": .init(ko: "구분", en: "Kind"),
        "isProvisional": .init(ko: "잠정", en: "Provisional"), "record": .init(ko: "기록", en: "Record"),
        "milestone": .init(ko: "돌파 관객수", en: "Milestone"), "value": .init(ko: "값", en: "Value"),
        "difference": .init(ko: "첫 영화 − 이 영화", en: "First film − this film"),
        "knownDays": .init(ko: "차트 있는 날", en: "Days known"),
        "provisionalDays": .init(ko: "잠정인 날", en: "Provisional days"),
        "coproductionAudience": .init(ko: "합작 관객수", en: "Co-productions' admissions"),
        "coproductionPercent": .init(ko: "합작 비중(%)", en: "Co-productions (%)"),
        "koreanAudience": .init(ko: "한국영화 관객수", en: "Korean films' admissions"),
        "koreanPercent": .init(ko: "한국영화 비중(%)", en: "Korean films (%)"),
        "foreignAudience": .init(ko: "외국영화 관객수", en: "Foreign films' admissions"),
        "foreignPercent": .init(ko: "외국영화 비중(%)", en: "Foreign films (%)"),
        "unknownAudience": .init(ko: "국적 미상 관객수", en: "Admissions of unknown country"),
        "unknownPercent": .init(ko: "국적 미상 비중(%)", en: "Unknown country (%)"),
        "lead": .init(ko: "2위와의 차이", en: "Lead over no. 2"), "new": .init(ko: "신규 진입", en: "New"),
        "returned": .init(ko: "재진입", en: "Re-entries"), "passed": .init(ko: "돌파", en: "Milestones passed"),
        "topAudience": .init(ko: "10위권 관객수", en: "Top 10 admissions"),
        "topAudienceWeekBefore": .init(ko: "10위권 전주 관객수", en: "Top 10 admissions a week before"),
        "topChangePercent": .init(ko: "10위권 증감률(%)", en: "Top 10 change (%)"),
    ]

    private static let movements: [String: LocalizedText] = [
        "new": .init(ko: "신규", en: "new"), "same": .init(ko: "유지", en: "same"), "up": .init(ko: "▲", en: "▲"),
        "down": .init(ko: "▼", en: "▼"),
    ]

    /// The fields with KOBIS's own vocabularies.
    private static let terms: Set = ["grade", "nations", "genres", "type", "productionStatus"]

    /// The fields whose texts are of a fixed set.
    private static let fixed: Set = [
        "presence", "state", "source", "detailStatus", "posterStatus", "posterConfidence", "kind", "record", "nation",
        "diversity",
    ]

    private static let values: [String: LocalizedText] = [
        "korean": .init(ko: "한국영화", en: "Korean"), "foreign": .init(ko: "외국영화", en: "foreign"),
        "diverse": .init(ko: "다양성영화", en: "diversity"), "commercial": .init(ko: "상업영화", en: "commercial"),
        "daily": .init(ko: "일별", en: "daily"), "weekly": .init(ko: "주간", en: "weekly"),
        "weekend": .init(ko: "주말", en: "weekend"), "weekdays": .init(ko: "주중", en: "weekdays"),
        "new": .init(ko: "예", en: "yes"), "old": .init(ko: "아니요", en: "no"),
        "settled": .init(ko: "확정", en: "settled"), "provisional": .init(ko: "잠정", en: "provisional"),
        "empty": .init(ko: "상영작 없음", en: "no films"), "not_published": .init(ko: "미발표", en: "not published"),
        "failed": .init(ko: "실패", en: "failed"), "unknown": .init(ko: "차트 없음", en: "no chart"),
        "upstream": .init(ko: "KOBIS", en: "KOBIS"), "recorded": .init(ko: "녹화된 자료", en: "recorded"),
        "demo": .init(ko: "데모 데이터", en: "demo"), "ok": .init(ko: "있음", en: "ok"),
        "stale": .init(ko: "오래된 자료", en: "stale"), "timeout": .init(ko: "시간 초과", en: "timeout"),
        "high": .init(ko: "높음", en: "high"), "pinned": .init(ko: "지정", en: "pinned"),
        "low": .init(ko: "낮음", en: "low"), "release": .init(ko: "개봉작", en: "release"),
        "rerelease": .init(ko: "재개봉", en: "re-release"), "unclear": .init(ko: "미확인", en: "undetermined"),
        "day": .init(ko: "하루 최다 관객", en: "best day"), "openingDay": .init(ko: "개봉일 최다 관객", en: "best opening day"),
        "week": .init(ko: "주간 최다 관객", en: "best week"), "month": .init(ko: "월간 최다 관객", en: "best month"),
        "daysAtTop": .init(ko: "최장 연속 1위", en: "longest at no. 1"),
        "fastest": .init(ko: "최단기간 돌파", en: "fastest to a milestone"),
    ]
}
