internal import Majordomo

extension BrokerStateMachine {
    struct LedgerShare: Sendable {
        var entries = 0
        var bytes = 0
    }

    /// False when the entry would exceed a bound of the whole ledger, or its client's share.
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
        let share = shares[entry.client.peer] ?? LedgerShare()
        shares[entry.client.peer] = LedgerShare(entries: share.entries + 1, bytes: share.bytes + entry.byteCount)
    }

    mutating func releaseLedgerRoom(of entry: Entry) {
        ledgerBytes -= entry.byteCount
        guard let share = shares[entry.client.peer], share.entries > 1 else {
            shares[entry.client.peer] = nil
            return
        }
        shares[entry.client.peer] = LedgerShare(entries: share.entries - 1, bytes: share.bytes - entry.byteCount)
    }

    /// False when queueing the entry would exceed a bound, or when its expected wait exceeds its deadline.
    func hasQueueRoom(for entry: Entry, at now: Duration) -> Bool {
        guard let service = services[entry.service] else { return entry.byteCount <= timing.queueBytes }
        let list = suspects.isEmpty ? nil : suspects[entry.service]
        guard service.queue.count + (list?.count ?? 0) < timing.queueEntries,
            service.queue.byteCount + (list?.byteCount ?? 0) + entry.byteCount <= timing.queueBytes,
            service.queue.count(of: entry.client.peer) + suspectCount(of: entry.client.peer, in: list)
                < timing.clientEntries
        else { return false }
        guard let wait = expectedWait(of: entry, in: service, list) else { return true }
        return now + wait <= entry.deadline
    }

    private func suspectCount(of client: PeerID, in list: SuspectList?) -> Int {
        list?.waiting.count { entries[$0]?.client.peer == client } ?? 0
    }

    /// How long a new entry would wait for a worker: the number of entries before it in the fair queue, times the mean
    /// work time, divided by the total capacity. Nil before the first measurement, or without workers.
    private func expectedWait(of entry: Entry, in service: Service, _ list: SuspectList?) -> Duration? {
        guard let meanWork = service.meanWork else { return nil }
        let working = service.workers.filter { workers[$0]?.isDraining == false }
        guard !working.isEmpty else { return nil }
        // One suspect at a time is in flight, after the earlier requests of its worker.
        if entry.isSuspect { return meanWork * ((list?.count ?? 0) + 1) }
        let free = working.filter { $0 != list?.worker }
        let capacity = (free.isEmpty ? working : free).reduce(0) { $0 + (workers[$1]?.options.capacity ?? 0) }
        let wait = meanWork * (service.queue.countAhead(of: entry.client.peer) + 1) / capacity
        // The only worker serves a suspect first.
        return free.isEmpty ? wait + meanWork : wait
    }
}
