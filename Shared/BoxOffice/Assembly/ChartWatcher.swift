internal import Contracts
public import Domain
public import Envelope
public import MessageBus
public import ProcessKit

/// Follows the chart of a day: fetches it again whenever it may have changed.
///
/// That is after `chart.revised`, after midnight in Seoul, and when it is no longer fresh.
public struct ChartWatcher: Sendable {
    /// The state of the watch's reader, polled once a second.
    public enum Reader: Sendable {
        case waits
        /// Report the answer again even when it is unchanged: the reader's screen has changed.
        case needsReport
        case disconnected
    }

    /// One answer to report.
    public struct Report: Sendable {
        public let day: Day
        public let answer: Result<ShowAssembly, Failure>
    }

    /// The visible content of an answer; its age is excluded.
    private enum Content: Equatable {
        case parts(Day, [PartOutcome.Status], [[UInt8]?], isProvisional: Bool)
        case failure(Day, FailureCode)
    }

    private let bus: MessageBus
    private let requests: SharedRequests
    private let policy: AnswerPolicy
    private let timeout: Duration
    private let clock: WallClock

    /// - Parameter timeout: the time limit of each answer.
    public init(
        bus: MessageBus, requests: SharedRequests, policy: AnswerPolicy, timeout: Duration, clock: WallClock = .system
    ) {
        self.bus = bus
        self.requests = requests
        self.policy = policy
        self.timeout = timeout
        self.clock = clock
    }

    /// Reports an answer now and after each change, until the reader disconnects or the task is cancelled.
    ///
    /// - Parameters:
    ///   - namedDay: nil for the current yesterday in Seoul.
    ///   - onConnection: receives the loss and the return of the connection to the broker.
    ///   - report: returns false to end the watch.
    public func run(
        _ namedDay: Day?, top: Int, reader: () -> Reader, onConnection: (ConnectionChange) -> Void = { _ in },
        report: (Report) async throws -> Bool
    ) async throws {
        let schedule = WatchSchedule(rollsOver: namedDay == nil)
        // Subscribes before the first answer, so that no later revision is missed.
        let stream = try await bus.subscribe(deadline: .now + timeout)
        var reported: Content?
        var failures = 0
        while !Task.isCancelled {
            let day = namedDay ?? .yesterdayInSeoul(secondsSinceEpoch: clock.now())
            let answer = try await show(day, top: top)
            let content = content(of: answer, day)
            if content != reported {
                guard try await report(Report(day: day, answer: answer)) else { break }
                reported = content
            }
            let outcome = WatchSchedule.Outcome(answer, failuresBefore: failures)
            if case .nothing(let times) = outcome { failures = times } else { failures = 0 }
            let next = ContinuousClock.now + schedule.wait(now: clock.now(), after: outcome)
            switch try await wait(for: day, until: next, stream, reader, onConnection) {
            case .waits: break
            case .needsReport: reported = nil
            case .disconnected:
                await stream.close()
                return
            }
        }
        await stream.close()
    }

    private func show(_ day: Day, top: Int) async throws -> Result<ShowAssembly, Failure> {
        let query = Query(bus: bus, requests: requests, deadline: .now + timeout, policy: policy, clock: clock)
        do {
            return .success(try await query.show(.daily(day), top: top))
        } catch let failure as Failure {
            return .failure(failure)
        }
    }

    private func content(of answer: Result<ShowAssembly, Failure>, _ day: Day) -> Content {
        switch answer {
        case .failure(let failure): return .failure(day, failure.code)
        case .success(let assembly):
            let isProvisional = FreshnessPolicy().wasProvisional(
                .daily(day), age: assembly.chart.cache?.age, now: clock.now())
            return .parts(
                day, assembly.parts.map(\.status), assembly.parts.map(\.value), isProvisional: isProvisional)
        }
    }

    /// Waits until there is a reason to fetch again, or the reader requests a report.
    private func wait(
        for day: Day, until moment: ContinuousClock.Instant, _ stream: any EventStream, _ reader: () -> Reader,
        _ onConnection: (ConnectionChange) -> Void
    ) async throws -> Reader {
        while .now < moment {
            let wish = reader()
            guard case .waits = wish else { return wish }
            switch try await stream.next(until: min(moment, .now + AssemblyTiming.watchCheck)) {
            case .event(let stamped, lost: let lost):
                // A lost event may have been a revision.
                if lost > 0 || Self.isRevision(stamped.event, of: day) { return .waits }
            case .connection(let change):
                onConnection(change)
                // The chart may have been revised meanwhile.
                if change != .lost { return .waits }
            case .quiet: break
            case .closed: return .disconnected
            }
        }
        return .waits
    }

    static func isRevision(_ event: Event, of day: Day) -> Bool {
        event.kind == EventKind.chartRevised
            && event.attributes["chart"]?.description == "\(ChartKind.daily.rawValue) \(day)"
    }
}
