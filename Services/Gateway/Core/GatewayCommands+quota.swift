import Contracts
import Envelope
import MessageBus

extension GatewayCommands {
    /// What each key has used of its day.
    public func quota() async throws -> Answer {
        let request = BusRequest(service: ServiceName.cacheStore, kind: QuotaListRequest.kind, trace: .root())
        let envelope = try await bus.request(request, deadline: deadline).envelope
        if let failure = envelope.header.failure { throw failure }
        let accounts = try JSONBytes.decode(QuotaListReply.self, from: envelope.payload).accounts
        if presentation.isJSON { return Answer(output: try JSONBytes.encode(["quota": accounts])) }
        return Answer(lines: QuotaText(language: presentation.language).lines(accounts))
    }
}
