internal import Contracts
public import Domain
public import Envelope

/// Fetches the missing charts and films of an order: which one when, and why it waits.
///
/// A pure value: answers and time in, actions out. `now` is monotonic; `date` is Unix time in seconds, which decides
/// about the day of a quota and nothing else.
public struct FillStateMachine: Sendable {
    public struct Configuration: Sendable {
        /// Items that are fetched at a time.
        public var concurrency = 4
        /// Fetches begun a second; nil without a limit.
        public var perSecond: Double? = 5
        /// How often an item is fetched before it is left as failed.
        public var attempts = 3
        /// The pause after a failure of the upstream; it doubles up to the longest.
        public var shortestPause: Duration = .seconds(1)
        public var longestPause: Duration = .seconds(60)
        /// After midnight in Seoul, when the calls of a day are used up, in seconds.
        public var afterMidnight = 300.0

        public init() {}
    }

    /// Why nothing is fetched.
    public enum Pause: Sendable, Equatable {
        /// Somebody paused the order.
        case requested
        /// The calls of the day are used up, or reserved: until this Unix time.
        case quota(until: Double)
        /// Only an operator can mend it: the disk is full, or the key is rejected.
        case failure(FailureCode)
    }

    public enum Outcome: Sendable, Equatable {
        /// It is archived; a chart may have no films.
        case archived
        case failed(FailureCode)
    }

    public enum Action: Sendable, Equatable {
        case fetch(FillItem)
        case paused(Pause)
        case resumed
        /// Nothing is left to fetch.
        ///
        /// - Parameter failed: the number of items that were left as failed.
        case ended(failed: Int)
    }

    private static let needsOperator: Set<FailureCode> = [.storage, .keyRejected, .configuration]
    /// They say nothing about the chart or the film.
    private static let refusals: Set<FailureCode> = [.quotaExceeded, .quotaReserved]

    private var configuration: Configuration
    /// In the order of the days; the last one is next.
    private var waiting: [FillItem]
    private struct Flight: Sendable {
        let attempt: Int
        /// When it began: a refusal is about the quota of that day.
        let date: Double
        /// Whether it is being archived.
        var isAnswered = false
    }

    private var inFlight: [FillItem: Flight] = [:]
    private var attempts: [FillItem: Int] = [:]
    private var failed = 0
    private var archived = 0
    private var hasEnded = false
    public private(set) var pause: Pause?
    /// Why the latest fetch failed that was not refused for its quota; nil when none did.
    public private(set) var failure: FailureCode?
    /// Fetches begin no earlier.
    private var notBefore: Duration = .zero
    private var upstreamPause: Duration?

    /// - Parameter missing: charts that are not final, or films without a detail.
    public init(_ missing: [FillItem], configuration: Configuration = Configuration()) {
        self.configuration = configuration
        waiting = missing.reversed()
    }

    /// Items that are neither archived nor left as failed.
    public var left: Int { waiting.count + inFlight.count }
    public var done: Int { archived }
    /// Items that are left as failed, until `ended` has reported them.
    public var failures: Int { hasEnded ? 0 : failed }
    /// Whether no answer is awaited.
    public var isIdle: Bool { inFlight.isEmpty }

    /// What to begin now; to be called after each event, and at `nextMoment`.
    public mutating func ticked(now: Duration, date: Double) -> [Action] {
        var actions: [Action] = []
        if case .quota(let until) = pause, date >= until {
            pause = nil
            actions.append(.resumed)
        }
        while pause == nil, hasRoom, now >= notBefore, let next = waiting.popLast() {
            inFlight[next] = Flight(attempt: (attempts[next] ?? 0) + 1, date: date)
            actions.append(.fetch(next))
            if let perSecond = configuration.perSecond { notBefore = max(notBefore, now) + .seconds(1 / perSecond) }
        }
        if !hasEnded, left == 0 {
            hasEnded = true
            actions.append(.ended(failed: failed))
        }
        return actions
    }

    /// A disk that is slower than the upstream holds the fetches up.
    private var hasRoom: Bool {
        inFlight.values.count { !$0.isAnswered } < configuration.concurrency
            && inFlight.count < 2 * configuration.concurrency
    }

    /// The answer to a fetch has arrived and is being archived: meanwhile the next fetch may begin.
    public mutating func answered(_ item: FillItem, now: Duration, date: Double) -> [Action] {
        inFlight[item]?.isAnswered = true
        return ticked(now: now, date: date)
    }

    /// The outcome of a fetch, after its answer is archived.
    public mutating func received(
        _ outcome: Outcome, for item: FillItem, now: Duration, date: Double
    ) -> [Action] {
        guard let flight = inFlight.removeValue(forKey: item) else { return [] }
        var actions: [Action] = []
        if case .failed(let code) = outcome, !Self.refusals.contains(code) { failure = code }
        switch outcome {
        case .archived:
            archived += 1
            upstreamPause = nil
        case .failed(let code) where Self.refusals.contains(code):
            // It did not cost an attempt.
            waiting.append(item)
            let until = dayAfter(flight.date)
            if pause == nil, until > date {
                let quota = Pause.quota(until: until)
                pause = quota
                actions.append(.paused(quota))
            }
        case .failed(let code) where Self.needsOperator.contains(code):
            waiting.append(item)
            if pause == nil || pause != .requested {
                pause = .failure(code)
                actions.append(.paused(.failure(code)))
            }
        case .failed(let code)
        where code == .notPublished || code == .notFound || flight.attempt >= configuration.attempts:
            failed += 1
        case .failed:
            attempts[item] = flight.attempt
            waiting.insert(item, at: 0)
            let next = min(upstreamPause.map { $0 * 2 } ?? configuration.shortestPause, configuration.longestPause)
            upstreamPause = next
            notBefore = max(notBefore, now + next)
        }
        return actions + ticked(now: now, date: date)
    }

    /// Somebody pauses the order; what is in flight ends.
    public mutating func pauseRequested() -> [Action] {
        guard pause != .requested, !hasEnded else { return [] }
        pause = .requested
        return [.paused(.requested)]
    }

    public mutating func resumeRequested(now: Duration, date: Double) -> [Action] {
        guard pause != nil else { return [] }
        pause = nil
        return [.resumed] + ticked(now: now, date: date)
    }

    /// - Parameter perSecond: nil without a limit.
    public mutating func changeRate(perSecond: Double?) {
        configuration.perSecond = perSecond
    }

    /// Until when nothing happens unless an answer arrives; nil: until then only.
    public func nextMoment(now: Duration, date: Double) -> Duration? {
        switch pause {
        case .requested, .failure: nil
        case .quota(let until): now + .seconds(max(0, until - date))
        case nil:
            waiting.isEmpty || !hasRoom ? nil : max(now, notBefore)
        }
    }

    /// A while after the next midnight in Seoul.
    private func dayAfter(_ date: Double) -> Double {
        let tomorrow = Day.inSeoul(secondsSinceEpoch: date).advanced(by: 1)
        return Double(tomorrow.daysSinceEpoch) * 86_400 - 9 * 3600 + configuration.afterMidnight
    }
}

/// A request of an order to fill.
public enum FillItem: Sendable, Hashable {
    case chart(ChartSelection)
    /// The detail of the film with that code.
    case film(String)
}
