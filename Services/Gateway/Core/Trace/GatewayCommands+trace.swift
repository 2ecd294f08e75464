import Contracts
import Envelope
import EventLog
import MessageBus

extension GatewayCommands {
    /// A past query as a tree of its calls, built from the events that the broker still has.
    ///
    /// - Parameter prefix: the first digits of its id; nil for the latest answered query.
    public func trace(_ prefix: String?) async throws -> Answer {
        let stream = try await bus.subscribe(last: .max, deadline: deadline)
        var events: [Event] = []
        while let (stamped, _) = await stream.nextPast() { events.append(stamped.event) }
        await stream.close()
        let conversation: Conversation
        if let prefix {
            conversation = try .only(startingWith: prefix, in: events)
        } else {
            let latest = events.last { $0.kind == EventKind.queryAnswered && $0.query != nil }?.query
            guard let latest else { throw Failure.noQuery(nil) }
            conversation = Conversation(query: latest, events: events)
        }
        if presentation.isJSON { return Answer(output: try JSONBytes.encode(conversation)) }
        return Answer(lines: conversation.lines(presentation.style, columns: presentation.columns))
    }
}
