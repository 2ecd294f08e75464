/// Why a text does not denote a day with a chart.
public enum ChartDayError: Error, Sendable, Equatable {
    /// The text has no known form of a day.
    case notADay(String)
    /// Today in Seoul.
    case notPublished(Day)
    /// A day before the first chart, or in the future.
    case outOfRange(Day, first: Day, last: Day)
}

extension Day {
    /// The day of the newest possible chart.
    ///
    /// - Parameter secondsSinceEpoch: Unix time.
    public static func yesterdayInSeoul(secondsSinceEpoch: Double) -> Day {
        inSeoul(secondsSinceEpoch: secondsSinceEpoch).advanced(by: -1)
    }

    /// Parses a chart's day in the forms that users write: 2026-11-19, 2026.11.19, 2026-1-5,
    /// 20261119, -1d, -2w, 어제, 그제, yesterday.
    ///
    /// - Parameters:
    ///   - text: The day; nil for yesterday in Seoul.
    ///   - now: Unix time in seconds.
    public static func ofChart(_ text: String?, now: Double) throws(ChartDayError) -> Day {
        let today = inSeoul(secondsSinceEpoch: now)
        let yesterday = today.advanced(by: -1)
        guard let text else { return yesterday }
        guard let day = day(text, today: today) else { throw .notADay(text) }
        if day == today { throw .notPublished(day) }
        guard firstChart <= day, day <= yesterday else {
            throw .outOfRange(day, first: firstChart, last: yesterday)
        }
        return day
    }

    private static func day(_ text: String, today: Day) -> Day? {
        switch text.lowercased() {
        case "어제", "yesterday": today.advanced(by: -1)
        case "그제", "그저께": today.advanced(by: -2)
        case "오늘", "today": today
        default: Day(compact: text) ?? separated(text) ?? ago(text, today: today)
        }
    }

    /// 2026-01-05, 2026-1-5, 2026.01.05, 2026.1.5.
    private static func separated(_ text: String) -> Day? {
        let parts = text.split(separator: text.contains("-") ? "-" : ".", omittingEmptySubsequences: false)
        guard parts.count == 3, parts[0].utf8.count == 4, parts[1...].allSatisfy({ $0.utf8.count <= 2 }),
            parts.allSatisfy({ $0.utf8.allSatisfy((UInt8(ascii: "0")...UInt8(ascii: "9")).contains) }),
            let year = Int(parts[0]), let month = Int(parts[1]), let day = Int(parts[2])
        else { return nil }
        return Day(year: year, month: month, day: day)
    }

    /// -1d, -2w.
    private static func ago(_ text: String, today: Day) -> Day? {
        let digits = text.dropFirst().dropLast()
        guard text.first == "-", let unit = text.last, unit == "d" || unit == "w",
            digits.utf8.allSatisfy((UInt8(ascii: "0")...UInt8(ascii: "9")).contains),
            let count = Int(digits), count <= 40_000
        else { return nil }
        return today.advanced(by: unit == "w" ? -7 * count : -count)
    }
}
