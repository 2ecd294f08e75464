public import Domain
public import Localization

extension ChartDayError {
    /// Of a day that its month does not have, as 2022-02-30; nil for another text.
    private static func tooLate(_ text: String) -> LocalizedText? {
        let parts = text.split(separator: "-")
        guard parts.count == 3, text.count == 10, let month = Month(iso: text.prefix(7)), let day = Int(parts[2]),
            day > month.days.count
        else { return nil }
        return LocalizedText(
            ko: "\("'\(text)'".with(.topic)) 없는 날짜입니다. \(month.year)년 \(month.number)월은 \(month.days.count)일까지입니다.",
            en: "The date '\(text)' does not exist: \(month.iso) has \(month.days.count) days.")
    }

    /// The fault of a text for a chart's day, and the possible days.
    public var message: LocalizedText {
        switch self {
        case .notADay(let text):
            Self.tooLate(text)
                ?? LocalizedText(
                    ko:
                        "\("'\(text)'".with(.topic)) 날짜가 아닙니다. 2026-11-19, 2026. 11. 19., 2026년 11월 19일, 11-19, -1d, -2w, -1m, -1y, 어제, 월요일처럼 쓰세요.",
                    en:
                        "Invalid date '\(text)'. Use e.g. 2026-11-19, 11-19, -1d, -2w, yesterday or monday."
                )
        case .notPublished(let day):
            LocalizedText(
                ko: "\(day) 박스오피스는 아직 발표되지 않았습니다. 내일 0시(한국 시각) 이후에 다시 시도하세요.",
                en: "The chart of \(day) is not published yet. Try again after midnight in Seoul.")
        case .outOfRange(let day, let first, let last):
            LocalizedText(
                ko: "\(day)의 박스오피스는 없습니다. \(first)부터 \(last)(어제)까지 볼 수 있습니다.",
                en: "There is no chart for \(day). Use a date from \(first) to \(last) (yesterday).")
        }
    }
}
