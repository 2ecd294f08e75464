import Contracts
import Envelope
import MessageBus

extension GatewayCommands {
    /// What each key has used of its day.
    public func quota() async throws -> Answer {
        let bytes = try await bus.ask(ServiceName.cacheStore, QuotaListRequest.kind, deadline: deadline)
        let accounts = try JSONBytes.decode(QuotaListReply.self, from: bytes).accounts
        if presentation.isJSON { return Answer(output: try JSONBytes.encode(["quota": accounts])) }
        return Answer(lines: QuotaText(language: presentation.language).lines(accounts))
    }
}
