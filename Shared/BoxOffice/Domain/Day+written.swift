extension Day {
    /// A day as people write it:
    ///
    /// - 2022-01-05, 2022-1-5, 2022.01.05, 2022. 1. 5., 2022/1/5, 2022년 1월 5일, 20220105;
    /// - 01-05, 1/5, 1월 5일: the last such day before today;
    /// - -1d, -2w, -1m, -1y: so long ago; a month that is too short has its last day;
    /// - 어제, yesterday, 그제, 오늘, today; 월요일, 월, monday, mon: the last such day before today.
    ///
    /// Nil for another text.
    init?(written text: String, today: Day) {
        let text = text.nfc.lowercased()
        guard
            let day = Day.named(text, today: today) ?? Day(compact: text) ?? Day.ago(text, today: today)
                ?? Day.separated(text, today: today)
        else { return nil }
        self = day
    }

    private static let weekdays: [[String]] = [
        ["월", "월요일", "mon", "monday"], ["화", "화요일", "tue", "tuesday"], ["수", "수요일", "wed", "wednesday"],
        ["목", "목요일", "thu", "thursday"], ["금", "금요일", "fri", "friday"], ["토", "토요일", "sat", "saturday"],
        ["일", "일요일", "sun", "sunday"],
    ]

    private static func named(_ text: String, today: Day) -> Day? {
        switch text {
        case "어제", "yesterday": return today.advanced(by: -1)
        case "그제", "그저께": return today.advanced(by: -2)
        case "오늘", "today": return today
        default: break
        }
        guard let weekday = weekdays.firstIndex(where: { $0.contains(text) }).map({ $0 + 1 }) else { return nil }
        let yesterday = today.advanced(by: -1)
        return yesterday.advanced(by: -((yesterday.weekday - weekday + 7) % 7))
    }

    /// -1d, -2w, -1m, -1y.
    private static func ago(_ text: String, today: Day) -> Day? {
        let digits = text.dropFirst().dropLast()
        guard text.first == "-", let unit = text.last, let count = number(digits), count <= 40_000 else {
            return nil
        }
        switch unit {
        case "d": return today.advanced(by: -count)
        case "w": return today.advanced(by: -7 * count)
        case "m": return today.monthsAgo(count)
        case "y": return today.monthsAgo(12 * count)
        default: return nil
        }
    }

    private func monthsAgo(_ count: Int) -> Day? {
        let (year, month, day) = components
        let months = year * 12 + month - 1 - count
        guard months >= 12 else { return nil }
        // The last day of a shorter month.
        return (0...3).lazy.compactMap { Day(year: months / 12, month: months % 12 + 1, day: day - $0) }.first
    }

    /// With one kind of separators between year, month and day; spaces may follow each.
    private static func separated(_ text: String, today: Day) -> Day? {
        for (first, second, end) in [("-", "-", ""), ("/", "/", ""), (".", ".", "."), ("년", "월", "일")] {
            var rest = text[...]
            // The last point may be missing, the 일 may not.
            if !end.isEmpty, rest.hasSuffix(end) { rest = rest.dropLast() } else if end == "일" { continue }
            let parts = rest.split(separator: second, omittingEmptySubsequences: false)
            guard let day = parts.last.flatMap({ component($0, digits: 2) }), (2...3).contains(parts.count) else {
                continue
            }
            var before = parts.dropLast()
            // Only Korean has two kinds.
            if first != second {
                guard parts.count == 2, let head = before.first else { continue }
                before = head.split(separator: first, omittingEmptySubsequences: false)[...]
            }
            guard let month = before.last.flatMap({ component($0, digits: 2) }), before.count <= 2 else { continue }
            guard before.count == 2 else { return latest(month: month, day: day, before: today) }
            guard let year = component(before[before.startIndex], digits: 4), before[before.startIndex].utf8.count >= 4
            else { continue }
            return Day(year: year, month: month, day: day)
        }
        return nil
    }

    /// The last such day before today; the 29th of February may be eight years ago.
    private static func latest(month: Int, day: Int, before today: Day) -> Day? {
        let year = today.components.year
        return (0...8).lazy.compactMap { Day(year: year - $0, month: month, day: day) }.first { $0 < today }
    }

    private static func component(_ text: Substring, digits: Int) -> Int? {
        let text = text.drop { $0 == " " }
        return text.utf8.count <= digits ? number(text) : nil
    }

    private static func number(_ text: Substring) -> Int? {
        text.utf8.allSatisfy((UInt8(ascii: "0")...UInt8(ascii: "9")).contains) ? Int(text) : nil
    }
}
