import Domain
import Localization
import ProcessKit
import Wording

/// A chart's day on a command line.
enum DateArgument {
    /// - Parameters:
    ///   - text: nil for yesterday in Seoul.
    ///   - now: Unix time in seconds.
    /// - Throws: `StartupError`: the possible days, or that today's chart is not published yet.
    static func resolve(_ text: String?, now: Double) throws(StartupError) -> Day {
        do {
            return try Day.ofChart(text, now: now)
        } catch {
            let message = error.message
            let isTemporary = if case .notPublished = error { true } else { false }
            throw StartupError(
                LocalizedText(ko: message(.ko).printable, en: message(.en).printable),
                exitStatus: isTemporary ? ExitStatus.temporary : ExitStatus.usage)
        }
    }
}
