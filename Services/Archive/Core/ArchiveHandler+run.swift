import ArchiveMachine
import Contracts
import Domain
import Envelope
import MessageBus
import ProcessKit
import ServiceKit

extension ArchiveHandler {
    /// A page of a film's rows; the charts that its run needs are fetched first, as far as the request allows.
    func run(_ question: ArchiveRunRequest, _ request: IncomingRequest) async throws -> ServiceAnswer {
        // A message may contain any day.
        let last = max(.firstChart, min(question.last, Day.inSeoul(secondsSinceEpoch: clock.now())))
        guard question.first == nil else {
            return try answer(question, try await known(question, until: last), calls: 0)
        }
        let deadline = request.deadline - Self.readingTime
        var (calls, tried): (Int, Set<Day>) = (0, [])
        while true {
            calls += try await collector.fetch(
                upTo: question.calls.value - calls, trace: request.trace, deadline: deadline
            ) {
                // Each chart with the film shows how far its run goes.
                let missing = try await known(question, until: last).missing.filter { tried.insert($0).inserted }
                return missing.map { .daily($0) }
            }
            let found = try await known(question, until: last)
            // Somebody else may have fetched a chart with the film since.
            guard calls < question.calls.value, .now < deadline, !tried.isSuperset(of: found.missing) else {
                return try answer(question, found, calls: calls)
            }
        }
    }

    private struct KnownRun {
        let rows: [FilmDay]
        let source: DataSource?
        /// The days that the run may have; nil when neither a row nor an opening day says where it may be.
        let span: ClosedRange<Day>?
        let unknown: [ClosedRange<Day>]
        /// The days whose charts are not final, those of the present run first.
        let missing: [Day]
        let failure: FailureCode?
    }

    private func known(_ question: ArchiveRunRequest, until last: Day) async throws -> KnownRun {
        let world = await collector.world.world
        let (rows, source) = try await archive.run(of: question.code, world, in: Day.firstChart...last)
        let charted = rows.map(\.day)
        let opening = rows.last { $0.entry.openingDay != nil }?.entry.openingDay ?? question.openingDay
        guard let span = RunWindow.span(charted: charted, opening: opening, until: last) else {
            return KnownRun(rows: rows, source: source, span: nil, unknown: [], missing: [], failure: nil)
        }
        var (missing, failed): ([Day], Day?) = ([], nil)
        for days in RunWindow.ranges(charted: charted, opening: opening, until: last) {
            let states = try await archive.states(world, .daily, in: days)
            missing += days.filter { states[$0]?.isFinal != true }
            failed = [failed, days.last { states[$0] == .failed || states[$0] == .notPublished }].compactMap(\.self)
                .max()
        }
        var failure: FailureCode?
        if let failed { failure = try await archive.charts(world, .daily, in: failed...failed).first?.failure }
        return KnownRun(
            rows: rows, source: source, span: span, unknown: try await archive.unknownDays(world, in: span),
            missing: missing, failure: failure)
    }

    private func answer(_ question: ArchiveRunRequest, _ known: KnownRun, calls: Int) throws -> ServiceAnswer {
        let rest = known.rows.drop { $0.day < question.first ?? $0.day }
        let page = rest.prefix(ArchiveRunRequest.maxRows)
        let next = rest.dropFirst(ArchiveRunRequest.maxRows).first?.day
        var answer = try ServiceAnswer.json(
            ArchiveRunReply(
                rows: Array(page), days: known.span, unknown: known.unknown, next: next, source: known.source,
                failure: known.failure, calls: calls))
        answer.source = known.source
        answer.attributes["rows"] = .number(page.count)
        return answer
    }
}
