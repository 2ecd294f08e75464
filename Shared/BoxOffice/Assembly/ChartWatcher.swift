public import Domain
public import Envelope
public import MessageBus
public import ProcessKit

/// Follows the chart of a day: fetches it again whenever it may have changed, which `ChartWatch` says, and after
/// midnight in Seoul.
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
        var watch = ChartWatch(rollsOver: namedDay == nil)
        // Subscribes before the first answer, so that no later revision is missed.
        let stream = try await bus.subscribe(deadline: .now + timeout)
        while !Task.isCancelled {
            let day = namedDay ?? .yesterdayInSeoul(secondsSinceEpoch: clock.now())
            let answer = try await show(day, top: top)
            if watch.take(answer, to: .daily(day), now: clock.now()) {
                guard try await report(Report(day: day, answer: answer)) else { break }
            }
            switch try await wait(for: watch, stream, reader, onConnection) {
            case .waits: break
            case .needsReport: watch.forgetContent()
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

    /// Waits until there is a reason to fetch again, or the reader requests a report.
    private func wait(
        for watch: ChartWatch, _ stream: any EventStream, _ reader: () -> Reader,
        _ onConnection: (ConnectionChange) -> Void
    ) async throws -> Reader {
        var end = ContinuousClock.now + watch.wait(now: clock.now())
        while .now < end {
            let wish = reader()
            guard case .waits = wish else { return wish }
            switch try await stream.next(until: min(end, .now + AssemblyTiming.watchCheck)) {
            case .event(let stamped, let lost):
                // A lost event may have been a reason.
                if lost > 0 || watch.mayChange(after: stamped.event) {
                    end = min(end, .now + AssemblyTiming.watchPause)
                }
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
}
