public import BoxOffice
import Envelope
import MessageBus
public import ServiceKit

extension GatewayCommands {
    /// Shows a chart again whenever it has changed: after `chart.revised`, after midnight in Seoul, and when it is no longer
    /// fresh.
    ///
    /// - Parameters:
    ///   - named: the day; nil for yesterday in Seoul, whichever that is.
    ///   - timeout: of each answer.
    ///   - show: prints an answer; false once nobody reads any more.
    ///   - hasReader: whether anybody still does; asked each second.
    public func watch(
        _ named: Day?, top: Int, timeout: Duration, clock: WallClock = .system, hasReader: () -> Bool,
        show: (Answer) throws -> Bool
    ) async throws {
        let schedule = WatchSchedule(rollsOver: named == nil)
        // Before the first look, so that no revision after it is missed.
        let stream = try await bus.subscribe(deadline: .now + timeout)
        var shown: Look.Content?
        while !Task.isCancelled {
            let day = try named ?? DateArgument.resolve(nil, now: clock.now())
            let look = try await look(day, top: top, timeout: timeout)
            if look.content != shown {
                guard try show(look.answer) else { break }
                shown = look.content
            }
            let next = ContinuousClock.now + schedule.wait(now: clock.now(), freshFor: look.freshFor)
            guard try await wait(for: day, until: next, stream, hasReader) else { break }
        }
        await stream.close()
    }

    /// One look at a chart.
    private struct Look {
        /// What a person sees of it: not how old it is, which is another each time.
        enum Content: Equatable {
            case parts(Day, [PartOutcome.Status], [[UInt8]?])
            case failure(FailureCode)
        }

        let content: Content
        let answer: Answer
        /// Seconds that all of it is still fresh for; nil when it is not complete.
        let freshFor: Int?
    }

    private func look(_ day: Day, top: Int, timeout: Duration) async throws -> Look {
        let query = Query(bus: bus, deadline: .now + timeout, policy: query.policy, progress: QueryProgress())
        do {
            let assembly = try await query.show(day, top: top)
            let parts = assembly.parts
            return Look(
                content: .parts(day, parts.map(\.status), parts.map(\.value)),
                answer: try presentation.show(assembly, date: day),
                freshFor: assembly.isComplete ? assembly.chart.cache?.ttl ?? 0 : nil)
        } catch let failure as Failure {
            return Look(content: .failure(failure.code), answer: presentation.failed(failure), freshFor: nil)
        }
    }

    /// Waits for a revision of this day's chart or for that moment; false when nobody reads any more.
    private func wait(
        for day: Day, until moment: ContinuousClock.Instant, _ stream: EventStream, _ hasReader: () -> Bool
    ) async throws -> Bool {
        while .now < moment {
            guard hasReader() else { return false }
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
        event.kind == "chart.revised" && event.facts["chart"]?.description == "\(ChartKind.daily.rawValue) \(day)"
    }
}
