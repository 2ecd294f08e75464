import Assembly
import Contracts
import Domain
import Envelope
import Localization
import MessageBus
import ProcessKit
import Records
import TerminalText

/// The gateway's commands: each runs a query and presents its answer.
struct GatewayCommands: Sendable {
    let bus: MessageBus
    let presentation: Presentation
    let deadline: ContinuousClock.Instant
    let query: Query
    /// The variables, with the user's file of settings.
    let settings: Environment

    init(
        bus: MessageBus, presentation: Presentation, deadline: ContinuousClock.Instant, policy: AnswerPolicy,
        progress: QueryProgress? = nil, clock: WallClock = .system, settings: Environment = Environment([:])
    ) {
        self.bus = bus
        self.settings = settings
        self.presentation = presentation
        self.deadline = deadline
        query = Query(
            bus: bus, requests: SharedRequests(), deadline: deadline, policy: policy, progress: progress, clock: clock)
    }

    /// The answer with its explanation: below text, as a member of JSON, or on stderr beside records.
    func explained(_ answer: Answer) -> Answer { presentation.explained(answer, query.explanation) }

    /// The answer with its explanation on stderr.
    func annotated(_ answer: Answer) -> Answer {
        var answer = answer
        answer.notes += presentation.notes(query.explanation)
        return answer
    }

    /// - Parameter moment: the chart as it was known then, in milliseconds since 1970; nil for now.
    func show(_ date: Day, top: Int, asOf moment: Int64? = nil) async throws -> Answer {
        try presentation.check(FilmRecord.showFields)
        let assembly = try await query.asOf(moment).show(.daily(date), top: top)
        return try presentation.show(assembly, pictures: await pictures(of: assembly))
    }

    /// - Parameter moment: the chart as it was known then, in milliseconds since 1970; nil for now.
    func chart(_ selection: ChartSelection, top: Int, asOf moment: Int64? = nil) async throws -> Answer {
        try presentation.check(FilmRecord.chartFields)
        let outcome = try await query.asOf(moment).chart(selection)
        // A chart has Korean titles only.
        let titles = showsEnglishTitles(inRecords: true) ? try await query.storedEnglishTitles(of: outcome) : [:]
        return try presentation.chart(outcome, selection, top: top, englishTitles: titles)
    }

    private func showsEnglishTitles(inRecords isField: Bool) -> Bool {
        switch presentation.format {
        case .text: presentation.language == .en
        case .json: false
        case .fields(let names): isField && names.contains { SpreadsheetWords.isName($0, of: "titleEnglish") }
        case .records(_, let names):
            isField && names?.contains { SpreadsheetWords.isName($0, of: "titleEnglish") } != false
        }
    }

    /// The presentation with the stored English titles of these films.
    ///
    /// - Parameter isField: whether records have them, beside an English text.
    func presentation(naming codes: [String], isField: Bool = false) async throws -> Presentation {
        guard showsEnglishTitles(inRecords: isField) || isField && presentation.format == .json, !codes.isEmpty else {
            return presentation
        }
        var named = presentation
        let all = Array(Set(codes))
        // One request of the cache names a bounded number of keys.
        for start in stride(from: 0, to: all.count, by: CachePeekRequest.maxKeys) {
            let some = Array(all[start..<min(start + CachePeekRequest.maxKeys, all.count)])
            let titles = try await query.englishTitles(of: some)
            named.englishTitles.merge(titles.known) { $1 }
            named.untranslated += titles.notStored
        }
        return named
    }

    /// The terminal on which text can be rewritten in place; nil when there is none.
    var terminal: Terminal? { presentation.terminal }
}
