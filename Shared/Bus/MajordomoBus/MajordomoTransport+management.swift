internal import Envelope
internal import Majordomo
internal import MessageBus

/// Management requests to the broker.
extension MajordomoTransport {
    func ping(deadline: ContinuousClock.Instant) async throws {
        _ = try await ask(.ping, deadline: deadline)
    }

    func workers(deadline: ContinuousClock.Instant) async throws -> BrokerStatus {
        try await ask(.workers, deadline: deadline).decode(BrokerStatus.self, at: 0)
    }

    func hasWorker(for service: String, deadline: ContinuousClock.Instant) async throws -> Bool {
        let reply = try await inspect(
            ManagementService.service.rawValue, [Array(service.utf8)], deadline: deadline)
        return reply.status == "200"
    }

    func brokerStats(deadline: ContinuousClock.Instant) async throws -> BrokerFigures? {
        let answer = try await ask(.stats, deadline: deadline)
        return BrokerFigures(
            broker: try answer.decode(ServiceStats.self, at: 0),
            services: try answer.decode([ServiceTraffic].self, at: 1),
            messages: try answer.decode(MessageCounts.self, at: 2))
    }

    /// Fetches a page of recent events, as frames: the newest stamp, then pairs of a stamp and an event.
    ///
    /// - Parameter limit: nil for what the broker sends by itself.
    func fetchEventPage(
        from sequence: UInt64, limit: Int? = nil, deadline: ContinuousClock.Instant
    ) async throws -> [[UInt8]] {
        let arguments = [String(sequence)] + (limit.map { [String($0)] } ?? [])
        return try await ask(.events, arguments.map { Array($0.utf8) }, deadline: deadline).frames
    }

    /// An answer of the broker with the status "200".
    private struct BrokerAnswer {
        let service: ManagementService
        let frames: [[UInt8]]

        func decode<Value: Decodable>(_: Value.Type, at index: Int) throws -> Value {
            guard frames.indices.contains(index) else {
                throw Failure.malformedEnvelope(
                    "the broker's answer to \(service.rawValue) has \(frames.count) frames, at least \(index + 1) expected"
                )
            }
            return try JSONBytes.decode(Value.self, from: frames[index])
        }
    }

    /// Of a status in an error; a broker of others can send any text there.
    private static let longestStatus = 100

    private func ask(
        _ service: ManagementService, _ arguments: [[UInt8]] = [], deadline: ContinuousClock.Instant
    ) async throws -> BrokerAnswer {
        let reply = try await inspect(service.rawValue, arguments, deadline: deadline)
        guard reply.status == "200" else {
            throw Failure.malformedEnvelope(
                "the broker answers \(service.rawValue) with status \(String(reply.status.unicodeScalars.prefix(Self.longestStatus)))"
            )
        }
        return BrokerAnswer(service: service, frames: reply.frames)
    }

    /// Sends a request without an envelope, as the management services of the broker expect it.
    ///
    /// - Returns: The status and the frames after it.
    func inspect(
        _ service: String, _ arguments: [[UInt8]] = [], deadline: ContinuousClock.Instant
    ) async throws -> (status: String, frames: [[UInt8]]) {
        let id = RequestID(query: 0, call: UniqueNumber.next())
        let reply = try await request(
            BusCall(id: id, service: service, kind: "", content: arguments, isIdempotent: true, deadline: deadline))
        return (reply.content.first?.text ?? "", Array(reply.content.dropFirst()))
    }
}
