internal import Envelope
internal import MessageBus

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// Holds a name for this process, by a record in the JetStream of the servers.
struct InstanceClaim: Sendable {
    private let jetStream: JetStream
    private let subject: String
    private let own: ClaimStateMachine.Record
    private let dismissal: WorkerDismissal
    private let timing: ClaimTiming

    /// - Parameters:
    ///   - subject: of the record.
    ///   - dismissal: what another holder means.
    init(
        _ subject: String, of own: ClaimStateMachine.Record, dismissal: WorkerDismissal, timing: ClaimTiming,
        over connection: NATSConnection
    ) {
        self.subject = subject
        self.own = own
        self.dismissal = dismissal
        self.timing = timing
        jetStream = JetStream(connection: connection)
    }

    /// Takes the name and keeps it until the task is cancelled; then gives it up.
    ///
    /// - Parameters:
    ///   - onHeld: called once, when this process has the name.
    ///   - onProblem: called when it cannot be had, as often as the reason changes.
    /// - Throws: `WorkerDismissal` when another process has it, or this one may not have it.
    func hold(
        onHeld: @Sendable () -> Void, onProblem: @Sendable (Failure) -> Void
    ) async throws(WorkerDismissal) {
        let clock = BusClock()
        var machine = ClaimStateMachine(own, dismissal: dismissal, timing: timing)
        var isHeld = false
        var problem: Failure?
        while !Task.isCancelled {
            switch machine.nextStep(at: clock.now) {
            case .read:
                do {
                    let (record, revision) = try await read()
                    machine.found(record, revision: revision, at: clock.now)
                } catch {
                    try report(error, after: &problem, onProblem)
                    machine.failed(at: clock.now)
                }
            case .write(let replaced):
                do {
                    if let revision = try await write(replacing: replaced) {
                        machine.written(revision: revision, at: clock.now)
                    } else {
                        machine.conflicted()
                    }
                } catch {
                    try report(error, after: &problem, onProblem)
                    machine.failed(at: clock.now)
                }
                if !isHeld, machine.heldRevision != nil {
                    isHeld = true
                    onHeld()
                }
            case .wait(let time):
                // Only cancellation interrupts the sleep, and it ends the loop.
                try? await Task.sleep(until: clock.instant(time))
            case .dismissed(let dismissal): throw dismissal
            }
        }
        if let revision = machine.heldRevision { await giveUp(revision) }
    }

    private func report(
        _ error: any Error, after previous: inout Failure?, _ onProblem: (Failure) -> Void
    ) throws(WorkerDismissal) {
        guard let failure = error as? Failure, !Task.isCancelled else { return }
        if failure.code == .forbidden { throw .forbidden }
        if previous?.message != failure.message { onProblem(failure) }
        previous = failure
    }

    /// - Returns: the record, nil when none is valid, and its revision, 0 without one.
    private func read() async throws -> (ClaimStateMachine.Record?, revision: UInt64) {
        let bucket = JetStream.StreamConfiguration(
            name: Subjects.claimStream, subjects: [Subjects.claims], max_bytes: 1 << 20, max_age: 60_000_000_000,
            max_msg_size: 1 << 10, max_msgs_per_subject: 1, max_consumers: 16)
        _ = try await jetStream.makeStream(bucket, JetStream.Nothing.self, until: .now + NATSTiming.claimLimit)
        let question = LastMessage(last_by_subj: subject)
        let answer = try await jetStream.ask(
            "STREAM.MSG.GET.\(Subjects.claimStream)", question, StoredMessage.self, until: .now + NATSTiming.claimLimit)
        if let message = answer.value?.message {
            return (try? JSONBytes.decode(StoredRecord.self, from: Array(message.data ?? Data())).record, message.seq)
        }
        guard answer.error?.code == 404 else { throw Failure.noJetStream(answer.error?.description) }
        return (nil, 0)
    }

    /// - Returns: the new revision; nil when the record had another revision.
    private func write(replacing revision: UInt64) async throws -> UInt64? {
        let bytes = try JSONBytes.encode(StoredRecord(instance: own.instance, process: String(own.process, radix: 16)))
        let answer: JetStream.Answer<Receipt> = try await jetStream.send(
            bytes, to: subject, headers: [("Nats-Expected-Last-Subject-Sequence", "\(revision)")],
            until: .now + NATSTiming.claimLimit)
        if let receipt = answer.value { return receipt.seq }
        // 400 is the other revision.
        guard answer.error?.code == 400 else { throw Failure.noJetStream(answer.error?.description) }
        return nil
    }

    /// An empty record; the connection sends it, and its receipt is not awaited.
    private func giveUp(_ revision: UInt64) async {
        // Without a connection the record expires by itself.
        try? await jetStream.connection.publish(
            [], to: subject,
            headers: [("KV-Operation", "DEL"), ("Nats-Expected-Last-Subject-Sequence", "\(revision)")])
    }
}

private struct StoredRecord: Codable {
    let instance: String
    let process: String

    var record: ClaimStateMachine.Record? {
        UInt64(process, radix: 16).map { ClaimStateMachine.Record(instance: instance, process: $0) }
    }
}

private struct LastMessage: Encodable {
    let last_by_subj: String
}

private struct StoredMessage: Decodable {
    struct Message: Decodable {
        let seq: UInt64
        /// Base64 in JSON, as a decoder expects it.
        let data: Data?
    }

    let message: Message
}

private struct Receipt: Decodable {
    let seq: UInt64
}
