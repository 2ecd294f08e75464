public import BoxOffice
import ServiceKit

/// A date as people write it: 2026-11-19, 20261119, -1d, 어제, yesterday; without one it is yesterday in Seoul.
public struct DateArgument: Sendable {
    /// - Parameter now: Unix time in seconds.
    /// - Throws: `StartupError` that names the possible range, or says that today's chart is not published yet.
    public static func resolve(_ text: String?, now: Double) throws -> Day {
        let today = Day.inSeoul(secondsSinceEpoch: now)
        let yesterday = today.advanced(by: -1)
        guard let text else { return yesterday }
        guard let day = day(text, today: today) else {
            throw StartupError.usage(
                "'\(text.printable)'은(는) 날짜가 아닙니다. 2026-11-19, 20261119, -1d, 어제 처럼 쓰세요.",
                "\"\(text.printable)\" is no date. Write 2026-11-19, 20261119, -1d or yesterday.")
        }
        if day == today {
            throw StartupError(
                "\(day) 박스오피스는 아직 발표되지 않았습니다. 내일 0시(한국 시각) 이후에 다시 시도하세요.\n"
                    + "The chart of \(day) is not published yet. Try again after midnight in Seoul.",
                exitStatus: ExitStatus.temporary)
        }
        guard Day.firstChart <= day, day <= yesterday else {
            throw StartupError.usage(
                "\(day)의 박스오피스는 없습니다. \(Day.firstChart)부터 \(yesterday)(어제)까지 볼 수 있습니다.",
                "There is no chart of \(day). Days from \(Day.firstChart) to \(yesterday) (yesterday) are possible.")
        }
        return day
    }

    private static func day(_ text: String, today: Day) -> Day? {
        switch text.lowercased() {
        case "어제".nfc, "어제", "yesterday": today.advanced(by: -1)
        case "오늘", "today": today
        default: Day(iso: text) ?? Day(compact: text) ?? daysAgo(text, today: today)
        }
    }

    private static func daysAgo(_ text: String, today: Day) -> Day? {
        guard let match = text.wholeMatch(of: /-([0-9]+)d/), let days = Int(match.1), days <= 40_000 else { return nil }
        return today.advanced(by: -days)
    }
}
