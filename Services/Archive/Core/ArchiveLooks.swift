import ArchiveMachine
import Contracts
import Domain
import Envelope
import Localization
import Logging
import MessageBus
import ProcessKit
import Storage

/// Fetches the charts of `LookSchedule` again, each look once, and the missing ones of the last fortnight, in the
/// lowest class.
struct ArchiveLooks: Sendable {
    private static let timeLimit: Duration = .seconds(60)
    /// The longest sleep: the wall clock may be set.
    private static let longestPause = 600.0
    /// A feed has the last fortnight.
    private static let recentDays = 15

    let archive: Archive
    let collector: ChartCollector
    let clock: WallClock
    let logger: Logger

    func run() async throws {
        var tried: Set<LookSchedule.Look> = []
        while true {
            let due = LookSchedule.due(now: clock.now())
            await look(at: due.filter { !tried.contains($0) })
            tried = Set(due)
            let now = clock.now()
            let pause = min(LookSchedule.next(after: now) - now, Self.longestPause)
            // Until the next look: the schedule is one of the wall clock.
            try await Task.sleep(for: .seconds(pause))
        }
    }

    private func look(at due: [LookSchedule.Look]) async {
        guard let last = due.map(\.day).max() else { return }
        // A machine that was off for some days has missed their looks.
        let recent = max(.firstChart, last.advanced(by: -Self.recentDays))
        let first = due.reduce(recent) { min($0, $1.day) }
        do {
            let known = try await archive.charts(await collector.world.world, .daily, in: first...last)
            let missing = known.filter { $0.state == .unknown && $0.date >= recent }.map(\.date)
            let seen = Dictionary(known.map { ($0.date, $0.lastSeen ?? .min) }, uniquingKeysWith: max)
            let wanted = due.filter { seen[$0.day] ?? .min < Int64($0.moment * 1000) }.map(\.day)
            _ = try await collector.fetch(
                (wanted + missing.filter { !wanted.contains($0) }).map { .daily($0) }, isRefresh: true,
                trace: .root(.background),
                deadline: .now + Self.timeLimit)
        } catch let failure as Failure {
            logger.warning("charts could not be looked at", metadata: ["reason": "\(failure.message.en)"])
        } catch {
            logger.error("charts could not be looked at", metadata: ["archive.reason": "\(error)"])
        }
    }
}
