import Envelope
import EventLog
import MessageBus

extension GatewayCommands {
    /// A query after the fact, as a tree of its calls, from the events that the broker still has.
    ///
    /// - Parameter prefix: the first digits of its id; nil for the latest query that has been answered.
    public func trace(_ prefix: String?) async throws -> Answer {
        let stream = try await bus.subscribe(last: .max)
        var events: [Event] = []
        while let stamped = await stream.nextPast() { events.append(stamped.event) }
        await stream.close()
        let latest = events.last { $0.kind == "query.answered" }?.query
        guard let query = prefix ?? latest else { throw Failure.noQuery(nil) }
        let conversation = try Conversation.only(startingWith: query, in: events)
        if presentation.isJSON { return Answer(output: try JSONBytes.encode(conversation)) }
        return Answer(lines: conversation.lines(presentation.style, columns: presentation.columns))
    }
}
