internal import Envelope
internal import ProcessKit

/// The stream of events in the JetStream of the servers: all events of the last hour, at most 64 MiB, on disk.
struct EventStore: Sendable {
    static let maxEventBytes = 64 << 10
    /// The limit of the stream includes the headers of a message.
    private static let maxHeaderBytes = 1 << 10
    private static let maxConsumers = 256

    /// What the stream holds.
    struct State: Sendable {
        /// When the stream was created, in microseconds since 1970: sequences of another stream are not comparable.
        let epoch: UInt64
        let firstSequence: UInt64
        let lastSequence: UInt64
    }

    private let jetStream: JetStream

    init(_ connection: NATSConnection) {
        jetStream = JetStream(connection: connection)
    }

    /// Makes the stream unless it exists.
    ///
    /// - Throws: `Failure` when JetStream does not answer or refuses.
    func open(until deadline: ContinuousClock.Instant) async throws -> State {
        let configuration = JetStream.StreamConfiguration(
            name: Subjects.eventStream, subjects: [Subjects.events], max_bytes: 64 << 20, max_age: 3_600_000_000_000,
            max_msg_size: Int32(Self.maxEventBytes + Self.maxHeaderBytes),
            duplicate_window: Int(NATSTiming.duplicateWindow / .nanoseconds(1)), max_consumers: Self.maxConsumers)
        let info = try await jetStream.makeStream(configuration, StreamInfo.self, until: deadline)
        guard let created = RFC3339.microseconds(info.created), created > 0 else {
            throw Failure.noJetStream("created: \(info.created)")
        }
        return State(epoch: UInt64(created), firstSequence: info.state.first_seq, lastSequence: info.state.last_seq)
    }

    /// Makes a reader of the stream, which the server forgets a minute after its last request.
    ///
    /// - Returns: the name of the reader.
    func makeConsumer(from sequence: UInt64, until deadline: ContinuousClock.Instant) async throws -> String {
        let request = ConsumerRequest(config: ConsumerConfiguration(opt_start_seq: max(sequence, 1)))
        let answer = try await jetStream.ask(
            "CONSUMER.CREATE.\(Subjects.eventStream)", request, Consumer.self, until: deadline)
        guard let consumer = answer.value else { throw Failure.noJetStream(answer.error?.description) }
        return consumer.name
    }

    /// Asks for the next events; they arrive at the subject `inbox`, and so do the reports of the end of this request.
    func pull(_ count: Int, of consumer: String, to inbox: String) async throws {
        let request = PullRequest(batch: count)
        try await jetStream.connection.publish(
            try JSONBytes.encode(request), to: "$JS.API.CONSUMER.MSG.NEXT.\(Subjects.eventStream).\(consumer)",
            reply: inbox)
    }

    /// Reads the stream's answer to an event.
    static func receipt(_ message: NATSMessage) -> OutboxStateMachine.Receipt {
        // Each event has one: the usual form is recognised without a decoder.
        if message.data.starts(with: storedPrefix), message.data.count > storedPrefix.count,
            (UInt8(ascii: "1")...UInt8(ascii: "9")).contains(message.data[storedPrefix.count])
        {
            return .stored
        }
        guard let answer = try? JSONBytes.decode(JetStream.Answer<Receipt>.self, from: message.data) else {
            return .unavailable
        }
        guard let value = answer.value else {
            switch answer.error?.errorCode {
            case tooLarge: return .refused
            case duplicateConflict: return .underway
            default: return .unavailable
            }
        }
        guard value.stream == Subjects.eventStream else { return .unavailable }
        // Some servers answer 0 in place of a conflict.
        return value.seq > 0 ? .stored : .underway
    }

    private static let (tooLarge, duplicateConflict) = (10_054, 10_158)

    private static let storedPrefix = Array(#"{"stream":"\#(Subjects.eventStream)", "seq":"#.utf8)

    /// Which reader delivers an event, and its sequence in the stream:
    /// `$JS.ACK.STREAM.CONSUMER.DELIVERED.SEQUENCE.…`; nil for a report.
    static func delivery(of message: NATSMessage) -> (consumer: Substring, sequence: UInt64)? {
        guard let parts = message.reply?.split(separator: "."), parts.count >= 9, parts.starts(with: ["$JS", "ACK"])
        else { return nil }
        // A newer server names its domain and its account before the stream.
        let first = parts.count >= 11 ? 5 : 3
        return UInt64(parts[first + 2]).map { (parts[first], $0) }
    }
}

// MARK: Messages of the API

private struct StreamInfo: Decodable {
    struct Sequences: Decodable {
        let first_seq: UInt64
        let last_seq: UInt64
    }

    let created: String
    let state: Sequences
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
    let stream_name = Subjects.eventStream
    let config: ConsumerConfiguration
}

private struct Consumer: Decodable {
    let name: String
}

private struct Receipt: Decodable {
    let stream: String
    let seq: UInt64
}

private struct PullRequest: Encodable {
    let batch: Int
    let expires = 5_000_000_000
    let idle_heartbeat = 500_000_000
}
