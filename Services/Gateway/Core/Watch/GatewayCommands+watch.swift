public import BoxOffice
import Contracts
import Envelope
import MessageBus
public import ServiceKit

extension GatewayCommands {
    /// Shows a chart again whenever it has changed: after `chart.revised`, after midnight in Seoul, when it is no longer
    /// fresh, and when the terminal has another width.
    ///
    /// - Parameters:
    ///   - named: the day; nil for yesterday in Seoul, whichever that is.
    ///   - timeout: of each answer.
    public func watch(
        _ named: Day?, top: Int, timeout: Duration, on screen: WatchScreen, clock: WallClock = .system
    ) async throws {
        let schedule = WatchSchedule(rollsOver: named == nil)
        // Before the first look, so that no revision after it is missed.
        let stream = try await bus.subscribe(deadline: .now + timeout)
        var shown: WatchLook.Content?
        var failures = 0
        while !Task.isCancelled {
            let day = try named ?? DateArgument.resolve(nil, now: clock.now())
            var presentation = presentation
            presentation.now = clock.now()
            presentation.columns = screen.columns()
            let look = try await look(day, top: top, timeout: timeout, failures: failures, presentation)
            if look.content != shown {
                guard try screen.show(look.answer) else { break }
                shown = look.content
            }
            if case .nothing(let times) = look.found { failures = times } else { failures = 0 }
            let next = ContinuousClock.now + schedule.wait(now: clock.now(), after: look.found)
            guard try await wait(for: day, until: next, stream, screen, columns: presentation.columns) else { break }
        }
        await stream.close()
    }

    private func look(
        _ day: Day, top: Int, timeout: Duration, failures: Int, _ presentation: Presentation
    ) async throws -> WatchLook {
        let query = Query(bus: bus, requests: query.requests, deadline: .now + timeout, policy: query.policy)
        do {
            return try WatchLook(try await query.show(day, top: top), of: day, failures: failures, presentation)
        } catch let failure as Failure {
            return WatchLook(failure, failures: failures, presentation)
        }
    }

    /// Waits until there is a reason to look again; false when nobody reads any more.
    private func wait(
        for day: Day, until moment: ContinuousClock.Instant, _ stream: EventStream, _ screen: WatchScreen, columns: Int?
    ) async throws -> Bool {
        while .now < moment, screen.columns() == columns {
            guard screen.hasReader() else { return false }
            switch try await stream.next(until: min(moment, .now + .seconds(1))) {
            case .event(let stamped, lost: let lost):
                // Among what was lost may have been one.
                if lost > 0 || Self.isRevision(stamped.event, of: day) { return true }
            case .quiet: break
            case .closed: return false
            }
        }
        return true
    }

    static func isRevision(_ event: Event, of day: Day) -> Bool {
        event.kind == EventKind.chartRevised && event.facts["chart"]?.description == "\(ChartKind.daily.rawValue) \(day)"
    }
}
