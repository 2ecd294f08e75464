import ArgumentParser
import CommandKit
import Contracts
import Envelope
import EventLog
import EventText
import MessageBus
import ProcessKit

struct TraceCommand: AnsweringCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "trace",
            abstract: say(
                "완료된 질의를 요청 트리로 출력",
                "Show a finished query as a tree of requests."),
            discussion: """
                EXAMPLES
                  \(Installation.gateway) trace                 \(say("마지막으로 완료된 질의", "the latest query that was answered"))
                  \(Installation.gateway) trace 5aefbff7        \(say("\(Installation.program("tap"))에 표시된 질의 ID의 앞자리", "by the first digits of its id, as \(Installation.program("tap")) shows it"))
                """)
    }

    @Argument(
        help: .words(
            "질의 ID의 앞 4~16자리 (기본값: 마지막으로 완료된 질의)",
            "First 4 to 16 digits of the query's id (default: the last finished query)."))
    var query: String?
    @OptionGroup var common: CommonOptions

    func validate() throws {
        guard query.map({ Conversation.isPrefix($0.lowercased()) }) ?? true else {
            throw ValidationError.usage(
                "질의의 id는 5aefbff7 같은 16진수 4자리부터 16자리입니다.", "A query's id is 4 to 16 hexadecimal digits, e.g. 5aefbff7.")
        }
    }

    func answer(in context: CommandContext) async throws -> Answer {
        try await common.answer(in: context) { try await $0.trace(query?.lowercased()) }
    }
}

extension GatewayCommands {
    /// A past query as a tree of its calls, built from the events that the broker still has.
    ///
    /// - Parameter prefix: the first digits of its id; nil for the latest answered query.
    func trace(_ prefix: String?) async throws -> Answer {
        let stream = try await bus.subscribe(last: .max, deadline: deadline)
        var events: [Event] = []
        while let (stamped, _) = await stream.nextPastEvent() { events.append(stamped.event) }
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
        let columns = presentation.columns
        let format = EventFormat(presentation.language, style: presentation.style) { columns }
        return Answer(lines: conversation.lines(format))
    }
}
