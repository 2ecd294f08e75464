public import Assembly
public import BoxOffice
import Contracts
import Envelope
public import MessageBus
public import ProcessKit
import ServiceKit
public import TerminalText

/// The gateway's commands, from a question to what is printed.
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

    /// The answer with what was asked of whom and where the time went: below a text, in an object of JSON, beside records.
    public func explained(_ answer: Answer) -> Answer { presentation.explained(answer, query.explanation) }

    /// The answer with the same on stderr.
    public func verbose(_ answer: Answer) -> Answer {
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

    /// That on which text can replace the text before it; nil when there is none.
    public var terminal: Terminal? { presentation.terminal }

    /// - Parameters:
    ///   - day: whose chart a rank is of.
    ///   - painter: shows the image above the text; nil for a link alone.
    public func poster(of film: FilmReference, on day: Day, painter: ImagePainter? = nil) async throws -> Answer {
        try presentation.check(FilmRecord.posterFields)
        switch try await found(film, on: day) {
        case .several(let candidates): return try presentation.candidates(candidates, for: film, on: day)
        case .one(let film):
            let (title, poster) = try await poster(of: film)
            let picture = try await picture(of: poster, title: title, by: painter)
            return try presentation.poster(poster, of: film, picture: picture)
        }
    }

    /// A poster, and what is known of the film's title.
    func poster(of film: FoundFilm) async throws -> (title: String, poster: PartOutcome) {
        switch film {
        case .code(let code): try await query.poster(code: code)
        case .title(let title): (title, try await query.poster(title: title))
        }
    }

    /// The film that a rank names; the image search takes a title as it is.
    func found(_ film: FilmReference, on day: Day) async throws -> Lookup {
        switch film {
        case .code(let code): return .one(.code(code))
        case .title(let title): return .one(.title(title))
        case .rank:
            let candidates = try await query.candidates(for: film, on: day)
            guard let only = candidates.first, candidates.count == 1 else { return .several(candidates) }
            return .one(.code(only.code))
        }
    }

    enum Lookup {
        case one(FoundFilm)
        case several([FilmCandidate])
    }

    /// The broker and one worker of each service, with the time that the answer took.
    public func ping() async throws -> Answer {
        let start = ContinuousClock.now
        try await bus.ping(deadline: deadline)
        var pongs = [Pong(name: "broker", microseconds: (.now - start).wholeMicroseconds)]
        // All at once: one that does not answer takes none of the others' time.
        pongs += try await withThrowingTaskGroup(of: (Int, Pong).self) { group in
            for (place, service) in ServiceName.all.enumerated() {
                group.addTask { (place, try await pong(of: service)) }
            }
            return try await group.reduce(into: []) { $0.append($1) }.sorted { $0.0 < $1.0 }.map(\.1)
        }
        let isWhole = pongs.allSatisfy { $0.failure == nil }
        let exitStatus = isWhole ? ExitStatus.complete : ExitStatus.unavailable
        if presentation.isJSON {
            return Answer(output: try JSONBytes.encode(["pong": pongs]), exitStatus: exitStatus)
        }
        return Answer(lines: pongs.map { $0.text(presentation.language) }, exitStatus: exitStatus)
    }

    private func pong(of service: String) async throws -> Pong {
        let request = BusRequest(service: service, kind: WorkerService.pingKind, trace: .root())
        do {
            let reply = try await bus.request(request, deadline: deadline)
            return Pong(name: reply.envelope.header.sender, microseconds: reply.took.wholeMicroseconds)
        } catch let failure as Failure {
            return Pong(name: service, failure: failure)
        }
    }

    /// The broker's list of registered workers.
    public func workers() async throws -> Answer {
        let status = try await bus.workers(deadline: deadline)
        if presentation.isJSON { return Answer(output: try JSONBytes.encode(status)) }
        let workers = status.workers
        let width = workers.map { TextWidth.narrow.columns($0.instance.printable) }.max() ?? 0
        return Answer(
            lines: workers.map { worker in
                "\(TextWidth.narrow.padded(worker.instance.printable, to: width))  in flight \(worker.inFlight)/\(worker.capacity)"
                    + "  served \(worker.served.withSeparators)\(worker.draining ? "  draining" : "")"
            })
    }
}
