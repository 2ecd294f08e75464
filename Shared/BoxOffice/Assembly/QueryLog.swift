internal import Envelope
internal import MessageBus
internal import ProcessKit
internal import Synchronization

/// Records the requests of one query, from which its explanation is made.
final class QueryLog: Sendable {
    private let began = ContinuousClock.now
    private let deadline: ContinuousClock.Instant
    private let entries = Mutex<(steps: [QueryStep], end: ContinuousClock.Instant?)>(([], nil))

    init(deadline: ContinuousClock.Instant) {
        self.deadline = deadline
    }

    /// The steps so far, or until `finish`.
    var explanation: QueryExplanation {
        let (steps, end) = entries.withLock(\.self)
        return QueryExplanation(steps, wall: (end ?? .now) - began)
    }

    /// Marks the answer as assembled.
    func finish() {
        entries.withLock { $0.end = .now }
    }

    /// Begins the record of a request that is sent now.
    func begin(_ request: BusRequest, what: String) -> QueryStep {
        let now = ContinuousClock.now
        return QueryStep(
            what: what, kind: request.kind, start: now - began, took: .zero, deadlineLeft: max(.zero, deadline - now))
    }

    /// - Parameters:
    ///   - cache: of a peek, whose header has no cache attributes.
    ///   - isShared: the reply came from another caller's message.
    func end(_ step: QueryStep, _ reply: BusReply, cache: String? = nil, isShared: Bool = false) {
        let header = reply.envelope.header
        var step = step
        step.took = ContinuousClock.now - began - step.start
        step.instance = header.sender
        step.status = header.status?.rawValue ?? "ok"
        step.code = header.failure?.code
        step.cache = cache ?? header.cache?.summary
        if isShared { step.cache = [step.cache, "collapsed"].compactMap(\.self).joined(separator: "; ") }
        step.isShared = isShared
        step.attempts = reply.attempts
        step.queued = .microseconds(reply.queuedMicroseconds)
        step.work = header.timing.map { .microseconds($0.workMicroseconds) }
        step.upstream = header.timing?.upstreamMicroseconds.map { .microseconds($0) }
        step.upstreamCalls = header.timing?.upstreamCalls
        step.upstreamOutcomes = header.timing?.upstreamOutcomes
        append(step)
    }

    func end(_ step: QueryStep, _ failure: Failure) {
        var step = step
        step.took = ContinuousClock.now - began - step.start
        step.code = failure.code
        append(step)
    }

    /// Records a request whose reply is not awaited.
    func post(_ step: QueryStep) {
        var step = step
        step.status = PartOutcome.revalidating
        append(step)
    }

    private func append(_ step: QueryStep) {
        entries.withLock { $0.steps.append(step) }
    }
}
