extension BrokerStateMachine {
    struct LedgerShare: Sendable {
        var entries = 0
        var bytes = 0
    }

    /// False when taking the entry would pass a bound of the whole broker, or its client's share of that.
    func hasLedgerRoom(for entry: Entry) -> Bool {
        guard entries.count < timing.ledgerEntries, ledgerBytes + entry.byteCount <= timing.ledgerBytes else {
            return false
        }
        let share = shares[entry.client.peer] ?? LedgerShare()
        return share.entries < timing.clientLedgerEntries
            && share.bytes + entry.byteCount <= timing.clientLedgerBytes
    }

    mutating func takeLedgerRoom(for entry: Entry) {
        ledgerBytes += entry.byteCount
        shares[entry.client.peer, default: LedgerShare()].entries += 1
        shares[entry.client.peer]?.bytes += entry.byteCount
    }

    mutating func giveLedgerRoom(of entry: Entry) {
        ledgerBytes -= entry.byteCount
        guard let share = shares[entry.client.peer], share.entries > 1 else {
            shares[entry.client.peer] = nil
            return
        }
        shares[entry.client.peer] = LedgerShare(entries: share.entries - 1, bytes: share.bytes - entry.byteCount)
    }

    /// False when queueing the entry would pass a bound, or when it would wait longer than its caller.
    func hasQueueRoom(for entry: Entry, at now: Duration) -> Bool {
        guard let service = services[entry.service] else { return entry.byteCount <= timing.queueBytes }
        guard service.queue.count < timing.queueEntries,
            service.queue.byteCount + entry.byteCount <= timing.queueBytes,
            service.queue.count(of: entry.client.peer) < timing.clientEntries
        else { return false }
        guard let wait = expectedWait(of: entry.client.peer, in: service) else { return true }
        return now + wait <= entry.deadline
    }

    /// How long a new entry of that client would wait for a worker: those before it in the fair queue, each taking the mean
    /// time of work, done by all the capacity there is. Nil when nothing is known, or nobody works.
    private func expectedWait(of client: PeerID, in service: Service) -> Duration? {
        guard let meanWork = service.meanWork else { return nil }
        let capacity = service.workers.reduce(0) { sum, peer in
            workers[peer].map { $0.isDraining ? sum : sum + $0.options.capacity } ?? sum
        }
        guard capacity > 0 else { return nil }
        return meanWork * (service.queue.countAhead(of: client) + 1) / capacity
    }
}
