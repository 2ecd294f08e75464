import CommandKit
import Domain
import Localization
import ProcessKit
import Wording

/// A chart's day on a command line.
enum DateArgument {
    /// The days of a range; nil for the text of one day.
    ///
    /// - Throws: `StartupError`: what is wrong with the range.
    static func resolveRange(_ text: String?, now: Double) throws(StartupError) -> ClosedRange<Day>? {
        guard let text else { return nil }
        do {
            _ = try Day.ofChart(text, now: now)
            return nil
        } catch {
            guard case .notADay = error else { return nil }
        }
        do {
            return try DayRangeParser(now: now).parse(text)
        } catch let error as DayRangeError {
            let message = error.message
            throw StartupError(
                LocalizedText(ko: message(.ko).printable, en: message(.en).printable), exitStatus: ExitStatus.usage)
        } catch let error as ChartDayError {
            throw refusal(error)
        } catch {
            throw StartupError("\(error)", exitStatus: ExitStatus.software)
        }
    }

    /// Whether a text names days, also days without charts.
    static func namesDays(_ text: String, now: Double) -> Bool {
        do {
            _ = try DayRangeParser(now: now).parse(text)
            return true
        } catch DayRangeError.notARange {
            return false
        } catch {
            return true
        }
    }

    /// Whether a text names a range, and not one day.
    static func isRange(_ text: String, now: Double) -> Bool {
        do {
            _ = try Day.ofChart(text, now: now)
            return false
        } catch {
            guard case .notADay = error else { return false }
            return namesDays(text, now: now)
        }
    }

    /// The days of a range or of one day.
    static func range(_ text: String, now: Double) throws(StartupError) -> ClosedRange<Day> {
        if let days = try resolveRange(text, now: now) { return days }
        let day = try resolve(text, now: now)
        return day...day
    }

    /// - Parameters:
    ///   - text: nil for yesterday in Seoul.
    ///   - now: Unix time in seconds.
    /// - Throws: `StartupError`: the possible days, or that today's chart is not published yet.
    static func resolve(_ text: String?, now: Double) throws(StartupError) -> Day {
        do {
            return try Day.ofChart(text, now: now)
        } catch {
            if let text, isRange(text, now: now) {
                let gateway = Installation.gateway
                throw .usage(
                    "\("'\(text.printable)'".with(.topic)) 기간입니다. 날짜 하나를 쓰세요. 기간은 \(gateway) chart \(text), \(gateway) top \(text)",
                    "'\(text.printable)' is a range; this takes one day. For a range: \(gateway) chart \(text), or \(gateway) top \(text)"
                )
            }
            throw refusal(error)
        }
    }

    private static func refusal(_ error: ChartDayError) -> StartupError {
        let message = error.message
        let isTemporary = if case .notPublished = error { true } else { false }
        return StartupError(
            LocalizedText(ko: message(.ko).printable, en: message(.en).printable),
            exitStatus: isTemporary ? ExitStatus.temporary : ExitStatus.usage)
    }
}
