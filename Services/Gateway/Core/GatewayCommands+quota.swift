import Contracts
import Envelope
import MessageBus

extension GatewayCommands {
    /// What each key has used of its day.
    public func quota() async throws -> Answer {
        let bytes = try await bus.ask(ServiceName.cacheStore, QuotaListRequest.kind, deadline: deadline)
        if presentation.isJSON { return Answer(output: bytes) }
        let reply = try JSONBytes.decode(QuotaListReply.self, from: bytes)
        return Answer(lines: QuotaText(language: presentation.language).lines(reply))
    }
}
