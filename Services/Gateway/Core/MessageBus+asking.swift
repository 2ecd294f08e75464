import Envelope
import MessageBus

extension MessageBus {
    /// Asks one question that is no part of a film's answer; a failed answer is thrown.
    func ask(
        _ service: String, _ kind: String, payload: [UInt8] = [], attachments: [[UInt8]] = [],
        deadline: ContinuousClock.Instant
    ) async throws -> [UInt8] {
        let request = BusRequest(
            service: service, kind: kind, trace: .root(), payload: payload, attachments: attachments)
        let envelope = try await self.request(request, deadline: deadline).envelope
        if let failure = envelope.header.failure { throw failure }
        return envelope.payload
    }
}
