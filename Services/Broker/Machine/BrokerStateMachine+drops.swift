internal import Majordomo

extension BrokerStateMachine {
    /// Drops that have been counted but not yet reported.
    ///
    /// They are reported as sums, at most once per interval: a flood of malformed messages must not displace all other
    /// events from the event ring.
    struct PendingDropReports: Sendable {
        struct Kind: Sendable, Hashable {
            let reason: DropReason
            let fault: MessageFault?
        }

        var counts: [Kind: Int] = [:]
        var quietUntil: Duration = .zero

        /// When the next sums are due; nil when there is nothing to report.
        var due: Duration? { counts.isEmpty ? nil : quietUntil }
    }

    /// An event that its sender may not publish.
    public mutating func droppedForbiddenEvent(at now: Duration, _ actions: inout [Action]) {
        drop(.forbidden, at: now, &actions)
    }

    mutating func drop(
        _ reason: DropReason, _ fault: MessageFault? = nil, at now: Duration, _ actions: inout [Action]
    ) {
        counters.dropped[reason, default: 0] += 1
        if let fault { counters.faults[fault, default: 0] += 1 }
        pendingDropReports.counts[PendingDropReports.Kind(reason: reason, fault: fault), default: 0] += 1
        reportDrops(at: now, &actions)
    }

    mutating func reportDrops(at now: Duration, _ actions: inout [Action]) {
        guard let due = pendingDropReports.due, due <= now else { return }
        // In a fixed order, so that a simulation repeats itself.
        let drops = pendingDropReports.counts.sorted {
            ($0.key.reason.rawValue, $0.key.fault?.rawValue ?? "") < (
                $1.key.reason.rawValue, $1.key.fault?.rawValue ?? ""
            )
        }
        actions += drops.map { .note(.dropped($0.key.reason, $0.key.fault, count: $0.value)) }
        pendingDropReports.counts = [:]
        pendingDropReports.quietUntil = now + timing.dropReportInterval
    }
}
