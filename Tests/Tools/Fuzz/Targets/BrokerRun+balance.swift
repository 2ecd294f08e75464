import HeapModule
import MessageBus

@testable import BrokerMachine
@testable import Majordomo

extension BrokerRun {
    /// The invariants between two steps: bounds, consistent records of each request, complete counts.
    func claimBalance() {
        claimLedger()
        claimQueues()
        claimWorkers()
        claimCounts()
    }

    private func claimLedger() {
        let entries = machine.entries
        claim(entries.count <= Self.timing.ledgerEntries, "\(entries.count) entries")
        let bytes = entries.values.reduce(0) { $0 + $1.byteCount }
        claim(bytes == machine.ledgerBytes, "\(bytes) bytes are taken for \(machine.ledgerBytes)")
        claim(bytes <= Self.timing.ledgerBytes, "\(bytes) bytes")
        for (peer, share) in machine.shares {
            let own = entries.values.filter { $0.client.peer == peer }
            let bytes = own.reduce(0) { $0 + $1.byteCount }
            claim(share.entries == own.count && share.bytes == bytes, "\(share) is taken for the share of \(peer)")
            claim(share.entries <= Self.timing.clientLedgerEntries, "\(share) of one client")
            claim(share.bytes <= Self.timing.clientLedgerBytes, "\(share) of one client")
        }
        claim(machine.timers.count <= 4 * entries.count + 1025, "\(machine.timers.count) timers")
        let live = machine.timers.unordered.count { entries[$0.entry] != nil }
        claim(live <= 3 * entries.count, "\(live) timers of \(entries.count) entries")
        claim(machine.entryByRequest.count == entries.count { $0.value.control != nil }, "ids and entries differ")
        for (key, id) in machine.entryByRequest {
            let entry = entries[id]
            claim(entry?.client.peer == key.client && entry?.control?.id == key.id, "\(key) leads to \(id)")
        }
        for (id, entry) in entries {
            let most = entry.isIdempotent ? Self.timing.maxAttempts : 1
            claim(entry.attempts <= most, "entry \(id) was dispatched \(entry.attempts) times")
        }
    }

    private func claimQueues() {
        var queued = 0
        for (name, service) in machine.services {
            let waiting = service.queue.entries.map { machine.entries[$0] }
            let suspects = machine.suspects[name]
            queued += waiting.count + (suspects?.count ?? 0)
            claim(waiting.count == service.queue.count, "\(service.queue.count) are taken for \(waiting.count)")
            claim(
                waiting.allSatisfy { $0?.state == .queued && $0?.service == name },
                "the queue of \(name.text) has others in it")
            let bytes = waiting.reduce(0) { $0 + ($1?.byteCount ?? 0) }
            claim(service.queue.byteCount == bytes, "\(bytes) bytes are taken for \(service.queue.byteCount)")
            let isNeeded = !service.workers.isEmpty || !waiting.isEmpty || suspects != nil
            claim(isNeeded, "\(name.text) is remembered for nothing")
            claim(
                service.workers.isEmpty == (service.workerlessSince != nil), "\(name.text) is wrong about its workers")
        }
        let all = machine.entries.values.count { $0.state == .queued }
        claim(queued == all, "\(all) wait, \(queued) are in queues")
    }

    private func claimWorkers() {
        var busy: [PeerID: Int] = [:]
        for entry in machine.entries.values {
            guard case .dispatched(let peer) = entry.state else { continue }
            busy[peer, default: 0] += 1
            claim(machine.workers[peer]?.service == entry.service, "handed to nobody who serves \(entry.service.text)")
        }
        for (peer, worker) in machine.workers {
            claim(worker.inFlight.count <= worker.options.capacity, "\(worker.inFlight.count) at once")
            claim(busy[peer, default: 0] <= worker.inFlight.count, "more in its hands than it is taken to have")
            claim(machine.services[worker.service]?.workers.contains(peer) == true, "a worker of no service")
        }
        let known = machine.services.values.reduce(0) { $0 + $1.workers.count }
        claim(known == machine.workers.count, "\(known) workers at services, \(machine.workers.count) in all")
        let names = Set(machine.workers.values.map(\.options.instance))
        claim(names.count == machine.workers.count, "two workers of one name")
    }

    /// The broker's report equals its state.
    func claimReport() {
        let report = machine.report(at: now)
        claim(report.counters == machine.counters, "other counters are reported")
        claim(report.workers.count == machine.workers.count, "\(report.workers.count) workers are reported")
        let waiting = machine.entries.values.count { $0.state == .queued }
        claim(report.queued == waiting, "\(report.queued) are reported to wait")
        let busy = machine.workers.values.reduce(0) { $0 + $1.inFlight.count }
        claim(report.inFlight == busy, "\(report.inFlight) are reported to be in flight")
    }

    private func claimCounts() {
        let counters = machine.counters
        let faults = counters.faults.values.reduce(0, +)
        let read = counters.received.values.reduce(0, +)
        claim(tally.received == read + faults, "\(tally.received) messages came, \(read) + \(faults) are counted")
        claim(counters.dropped[.malformed, default: 0] == faults, "faults are no drops")
        let dropped = counters.dropped.values.reduce(0, +)
        let unreported = machine.pendingDropReports.counts.values.reduce(0, +)
        claim(
            dropped == tally.reportedDrops + unreported,
            "\(dropped) drops, \(tally.reportedDrops) reported, \(unreported) not yet reported")

        let refused = counters.refused.values.reduce(0, +)
        let malformed = counters.faults[.control, default: 0] - tally.malformedQuestions
        let ended =
            counters.answered + refused + tally.cancelled + malformed + counters.dropped[.duplicate, default: 0]
        claim(counters.requests == ended + machine.entries.count, "\(counters.requests) asked, \(ended) ended")
        claim(counters.redeliveries == tally.redeliveries, "\(tally.redeliveries) redeliveries counted")
    }
}
