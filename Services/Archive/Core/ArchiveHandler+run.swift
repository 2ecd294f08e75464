import ArchiveMachine
import Contracts
import Domain
import Envelope
import MessageBus
import ProcessKit
import ServiceKit

extension ArchiveHandler {
    /// The number of charts that are fetched before the film's rows decide which ones are needed next.
    private static let batch = 16

    /// A page of a film's rows; the charts that its run needs are fetched first, as far as the request allows.
    func run(_ question: ArchiveRunRequest, _ request: IncomingRequest) async throws -> ServiceAnswer {
        let deadline = request.deadline - Self.readingTime
        // A message may contain any day.
        let last = max(.firstChart, min(question.last, Day.inSeoul(secondsSinceEpoch: clock.now())))
        var (calls, tried): (Int, Set<Day>) = (0, [])
        var failure: FailureCode?
        while true {
            let world = await collector.world.world
            let (rows, source) = try await archive.run(of: question.code, world, in: Day.firstChart...last)
            let charted = rows.map(\.day)
            let opening = rows.last { $0.entry.openingDay != nil }?.entry.openingDay ?? question.openingDay
            let span = RunWindow.span(charted: charted, opening: opening, until: last)
            var states: [Day: ChartState] = [:]
            if let span { states = try await archive.states(world, .daily, in: span) }
            let wanted = RunWindow.ranges(charted: charted, opening: opening, until: last)
                .flatMap { $0.filter { states[$0]?.isFinal != true } }
            let left = min(question.calls.value - calls, Self.batch)
            let next = wanted.uniqued().filter { !tried.contains($0) }.prefix(max(0, left))
            guard question.first == nil, !next.isEmpty, .now < deadline else {
                let unknown = span.map { $0.filter { states[$0]?.isKnown != true } } ?? []
                if let day = unknown.last(where: { states[$0] == .failed || states[$0] == .notPublished }) {
                    failure = try await archive.charts(world, .daily, in: day...day).first?.failure
                }
                return try answer(question, rows, source, unknown: unknown, failure: failure, calls: calls)
            }
            tried.formUnion(next)
            calls += try await collector.fetch(next.map { .daily($0) }, trace: request.trace, deadline: deadline)
        }
    }

    private func answer(
        _ question: ArchiveRunRequest, _ rows: [FilmDay], _ source: DataSource?, unknown: [Day], failure: FailureCode?,
        calls: Int
    ) throws -> ServiceAnswer {
        let rest = rows.drop { $0.day < question.first ?? $0.day }
        let page = rest.prefix(ArchiveRunRequest.maxRows)
        let next = rest.dropFirst(ArchiveRunRequest.maxRows).first?.day
        var answer = try ServiceAnswer.json(
            ArchiveRunReply(
                rows: Array(page), unknown: unknown.spans, next: next, source: source, failure: failure, calls: calls))
        answer.source = source
        answer.attributes["rows"] = .number(page.count)
        return answer
    }
}

extension [Day] {
    /// The same days, each once.
    fileprivate func uniqued() -> [Day] {
        var seen: Set<Day> = []
        return filter { seen.insert($0).inserted }
    }

    /// Adjacent days as ranges.
    fileprivate var spans: [ClosedRange<Day>] {
        reduce(into: []) { spans, day in
            if let last = spans.last, last.upperBound.advanced(by: 1) == day {
                spans[spans.count - 1] = last.lowerBound...day
            } else {
                spans.append(day...day)
            }
        }
    }
}
