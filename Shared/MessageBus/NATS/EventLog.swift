internal import Envelope
internal import Localization
internal import NATS
internal import NATSDispatch
internal import ProcessKit

/// The stream of events in the JetStream of the servers: all events of the last hour, at most 64 MiB, in memory.
///
/// Questions to `$JS.API` go over our own connection: the calls of libnats would block the loop.
struct EventLog: Sendable {
    static let name = "EVENTS"

    /// What the stream holds.
    struct State: Sendable {
        /// When the stream was created, in microseconds since 1970: sequences of another stream are not comparable.
        let epoch: UInt64
        let firstSequence: UInt64
        let lastSequence: UInt64
    }

    let connection: NATSConnection

    /// Makes the stream unless it exists.
    ///
    /// - Throws: `Failure` when JetStream does not answer or refuses.
    func open(until deadline: ContinuousClock.Instant) async throws -> State {
        let info = try await ask("STREAM.INFO.\(Self.name)", Nothing(), StreamInfo.self, until: deadline)
        if let state = info.state { return state }
        guard info.error?.code == 404 else { throw Failure.noEventLog(info.error?.description) }
        let made = try await ask("STREAM.CREATE.\(Self.name)", StreamConfiguration(), StreamInfo.self, until: deadline)
        if let state = made.state { return state }
        // Another process has just made it.
        let again = try await ask("STREAM.INFO.\(Self.name)", Nothing(), StreamInfo.self, until: deadline)
        guard let state = again.state else { throw Failure.noEventLog(made.error?.description) }
        return state
    }

    /// Makes a reader of the stream, which the server forgets a minute after its last request.
    ///
    /// - Returns: the name of the reader.
    func makeConsumer(from sequence: UInt64, until deadline: ContinuousClock.Instant) async throws -> String {
        let request = ConsumerRequest(config: ConsumerConfiguration(opt_start_seq: max(sequence, 1)))
        let answer = try await ask("CONSUMER.CREATE.\(Self.name)", request, Consumer.self, until: deadline)
        guard let consumer = answer.value else { throw Failure.noEventLog(answer.error?.description) }
        return consumer.name
    }

    /// Asks for the next events; they arrive at the subject `inbox`, and so do the reports of the end of this request.
    func pull(_ count: Int, of consumer: String, to inbox: String) async throws {
        let request = PullRequest(batch: count)
        try await connection.publish(
            try JSONBytes.encode(request), to: "$JS.API.CONSUMER.MSG.NEXT.\(Self.name).\(consumer)", reply: inbox)
    }

    /// The sequence in the stream of a delivered event: `$JS.ACK.STREAM.CONSUMER.DELIVERED.SEQUENCE.…`.
    static func sequence(of message: NATSMessage) -> UInt64? {
        guard let parts = message.reply?.split(separator: "."), parts.count >= 9, parts.starts(with: ["$JS", "ACK"])
        else { return nil }
        // A newer server names its domain and its account before the stream.
        return UInt64(parts[parts.count >= 11 ? 7 : 5])
    }

    private func ask<Value: Decodable>(
        _ subject: String, _ question: some Encodable, _: Value.Type, until deadline: ContinuousClock.Instant
    ) async throws -> Answer<Value> {
        do throws(NATSError) {
            let bytes = (try? JSONBytes.encode(question)) ?? []
            let answers = try await connection.ask("$JS.API.\(subject)", bytes, until: deadline)
            guard let answer = try? JSONBytes.decode(Answer<Value>.self, from: answers.first?.data ?? []) else {
                throw NATSError(code: .timeout, operation: "read the answer to \(subject)")
            }
            return answer
        } catch {
            throw Failure.noEventLog(error.description)
        }
    }
}

// MARK: Messages of the API

/// The value, or an error in place of it.
private struct Answer<Value: Decodable>: Decodable {
    struct Problem: Decodable {
        let code: Int
        let description: String?
    }

    let error: Problem?
    let value: Value?

    enum CodingKeys: CodingKey { case error }

    init(from decoder: any Decoder) throws {
        error = try decoder.container(keyedBy: CodingKeys.self).decodeIfPresent(Problem.self, forKey: .error)
        value = error == nil ? try Value(from: decoder) : nil
    }
}

private struct Nothing: Encodable {}

private struct StreamInfo: Decodable {
    struct Sequences: Decodable {
        let first_seq: UInt64
        let last_seq: UInt64
    }

    let created: String
    let state: Sequences
}

extension Answer where Value == StreamInfo {
    fileprivate var state: EventLog.State? {
        guard let info = value, let created = RFC3339.microseconds(info.created), created > 0 else {
            return nil
        }
        return EventLog.State(
            epoch: UInt64(created), firstSequence: info.state.first_seq, lastSequence: info.state.last_seq)
    }
}

private struct StreamConfiguration: Encodable {
    let name = EventLog.name
    let subjects = [Subjects.events]
    let retention = "limits"
    let storage = "memory"
    let discard = "old"
    let max_bytes = 64 << 20
    let max_age = 3_600_000_000_000
    let max_msg_size: Int32 = 64 << 10
    let num_replicas = 1
}

private struct ConsumerConfiguration: Encodable {
    let deliver_policy = "by_start_sequence"
    let opt_start_seq: UInt64
    let ack_policy = "none"
    let replay_policy = "instant"
    let inactive_threshold = 60_000_000_000
    let mem_storage = true
    let num_replicas = 1
}

private struct ConsumerRequest: Encodable {
    let stream_name = EventLog.name
    let config: ConsumerConfiguration
}

private struct Consumer: Decodable {
    let name: String
}

private struct PullRequest: Encodable {
    let batch: Int
    let expires = 5_000_000_000
    let idle_heartbeat = 500_000_000
}

extension Failure {
    fileprivate static func noEventLog(_ reason: String?) -> Failure {
        let reason = reason.map { " (\($0))" } ?? ""
        return Failure(
            .brokerLost,
            LocalizedText(
                ko: "NATS 서버의 이벤트 스트림을 쓸 수 없습니다\(reason). 서버에 JetStream이 켜져 있는지 확인하세요.",
                en: "The stream of events of the NATS servers cannot be used\(reason). "
                    + "Check that JetStream is enabled there."),
            isRetryable: true)
    }
}
