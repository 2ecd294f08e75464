public import Domain
public import Localization

extension DayRangeError {
    /// The fault of a text for a range of days, and the possible ranges.
    public var message: LocalizedText {
        switch self {
        case .notARange(let text):
            LocalizedText(
                ko:
                    "\("'\(text)'".with(.topic)) 날짜나 기간이 아닙니다. 2022, 2022-01, 2022-01-05, 2022-W01, 2022-01-05..2022-01-31, -30d.., 지난주, 지난주말, 지난달처럼 쓰세요.",
                en:
                    "Invalid date or range '\(text)'. Use e.g. 2022, 2022-01, 2022-01-05, 2022-W01, 2022-01-05..2022-01-31, -30d.. or last-week."
            )
        case .reversed(let first, let last, let turned):
            LocalizedText(
                ko: "기간의 끝(\(last))이 시작(\(first))보다 앞섭니다. \(turned)처럼 쓰세요.",
                en: "The range ends (\(last)) before it starts (\(first)). Write \(turned).")
        case .outOfRange(let first, let last):
            LocalizedText(
                ko: "이 기간에는 박스오피스가 없습니다. \(first)부터 \(last)(어제)까지 볼 수 있습니다.",
                en: "No day of this range has a chart. Use dates from \(first) to \(last) (yesterday).")
        }
    }
}
