import BoxOffice
import Envelope
import ServiceKit

/// The chart of a day as lines of text.
struct ChartText {
    let language: Language
    let style: TextStyle

    func header(_ date: Day, isProvisional: Bool) -> String {
        let weekday = language(
            ["월", "화", "수", "목", "금", "토", "일"][date.weekday - 1] + "요일",
            ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"][date.weekday - 1])
        let state = isProvisional ? language("잠정", "provisional") : language("확정", "settled")
        return "\(language("박스오피스", "Box office")) \(date.iso) \(weekday)   \(style.dim("\(state) · KOBIS"))"
    }

    /// One line a film, titles padded to the same width.
    func rows(_ entries: [ChartEntry]) -> [String] {
        let titles = entries.map(\.title.printable)
        let titleWidth = titles.map(TextWidth.columns).max() ?? 0
        return zip(entries, titles).map { entry, title in
            let rank = String(repeating: " ", count: max(0, 3 - String(entry.rank).count)) + String(entry.rank)
            let today = language("오늘", "today")
            let total = language("총", "total")
            return "\(rank)  \(movement(entry))\(TextWidth.padded(title, to: titleWidth))  "
                + "\(today) \(entry.audience.withSeparators) / \(total) \(entry.audienceTotal.withSeparators)"
        }
    }

    /// Where the second line of a film begins: below its title.
    static let indent = String(repeating: " ", count: 5 + movementWidth)
    private static let movementWidth = 6

    /// Padded by its plain width: colour has none.
    private func movement(_ entry: ChartEntry) -> String {
        let (plain, coloured) =
            switch entry.movement {
            case .new: (language("신작", "NEW"), style.red(language("신작", "NEW")))
            case .up(let ranks): ("▲\(ranks)", style.red("▲") + "\(ranks)")
            case .down(let ranks): ("▼\(ranks)", style.blue("▼") + "\(ranks)")
            case .same: ("-", "-")
            }
        return coloured + String(repeating: " ", count: max(1, Self.movementWidth - TextWidth.columns(plain)))
    }
}
