public import Assembly
public import BoxOffice
import Contracts
import Envelope
public import MessageBus
public import ProcessKit
public import TerminalText

/// The gateway's commands: each runs a query and presents its answer.
public struct GatewayCommands: Sendable {
    let bus: MessageBus
    let presentation: Presentation
    let deadline: ContinuousClock.Instant
    let query: Query

    public init(
        bus: MessageBus, presentation: Presentation, deadline: ContinuousClock.Instant, policy: AnswerPolicy,
        progress: QueryProgress? = nil, clock: WallClock = .system
    ) {
        self.bus = bus
        self.presentation = presentation
        self.deadline = deadline
        query = Query(
            bus: bus, requests: SharedRequests(), deadline: deadline, policy: policy, progress: progress, clock: clock)
    }

    /// The answer with its explanation: below text, as a member of JSON, or on stderr beside records.
    public func explained(_ answer: Answer) -> Answer { presentation.explained(answer, query.explanation) }

    /// The answer with its explanation on stderr.
    public func annotated(_ answer: Answer) -> Answer {
        var answer = answer
        answer.notes += presentation.notes(query.explanation)
        return answer
    }

    public func show(_ date: Day, top: Int) async throws -> Answer {
        try presentation.check(FilmRecord.showFields)
        return try presentation.show(await query.show(date, top: top))
    }

    public func chart(_ selection: ChartSelection) async throws -> Answer {
        try presentation.check(FilmRecord.chartFields)
        return try presentation.chart(await query.chart(selection), selection)
    }

    /// The terminal on which text can be rewritten in place; nil when there is none.
    public var terminal: Terminal? { presentation.terminal }
}

extension MessageBus {
    /// Sends one request that is not part of a film's answer; throws the failure of a failed reply.
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
