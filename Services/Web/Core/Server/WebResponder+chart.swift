import Assembly
import Contracts
import Domain
import Envelope
import HTTPTypes
import Localization
import MessageBus
import ProcessKit

/// The page of a chart: from the cache of pages, at once when all parts are stored, else film by film.
extension WebResponder {
    func chart(
        _ selection: ChartSelection, _ layout: ChartLayout, _ request: WebRequest
    ) async throws -> WebResponse {
        let moment = pages.moment
        let visitor = try queries.reserve(
            calls: VisitorQueries.Cost.chartWithFilms, for: request.visitor, trace: request.trace)
        return try await queries.settlingFailure(of: visitor) {
            async let awaitedTrends = trends(selection, visitor.query)
            let started = try await visitor.query.start(selection, top: Self.films)
            let trends = await awaitedTrends
            return try await response(to: request, started, trends, visitor, layout, since: moment)
        }
    }

    /// - Parameter moment: when the query began.
    private func response(
        to request: WebRequest, _ started: StartedShow, _ trends: ChartTrends?, _ visitor: VisitorQuery,
        _ layout: ChartLayout,
        since moment: PageCache.Moment
    ) async throws -> WebResponse {
        let frame = frame(request)
        let selection = started.assembly.selection
        let address = PageAddress.chart(selection, layout)
        let first = decoded.readable(started.assembly)
        let page = ChartPage(
            frame: frame, layout: layout, posters: configuration.posters, now: clock.now(), trends: trends,
            decoded: decoded)
        let isPartial = first.chart.value != nil && !started.assembly.missing.isEmpty
        guard isPartial, !configuration.isStatic else {
            let whole = decoded.readable(try await visitor.query.finish(started))
            _ = try visitor.value(of: whole.chart)
            queries.settle(visitor)
            let how = explanationLink(visitor.query, address, frame, titles: titles(of: whole))
            let html = page.html(whole, notes: notes(of: visitor, frame), how: how)
            let films = whole.films.flatMap { FilmPart.cacheKeys(code: $0.code) }
            let made = MadePage(
                html: html, parts: whole.parts,
                keys: [ChartRequest(selection, isRefresh: false).cacheKey] + films + trendKeys(selection),
                isWhole: visitor.refusal == nil && whole.missing.isEmpty)
            return answer(to: request, address, made, since: moment)
        }
        var response = WebResponse.html(
            .ok, .stream { try await stream(started, visitor, page, address, $0) })
        response.fields[.cacheStatus] = Self.cacheStatus(first.chart)
        return response
    }

    /// The films that have arrived, in their order, as soon as those before them have; reasons at the end.
    private func stream(
        _ started: StartedShow, _ visitor: VisitorQuery, _ page: ChartPage, _ address: PageAddress,
        _ output: PieceWriter?
    ) async throws {
        defer { queries.settle(visitor) }
        let first = decoded.readable(started.assembly)
        var shown = first
        var sent = 0
        func sendFilms(_ assembly: ShowAssembly, isLast: Bool = false) async throws {
            shown = assembly
            let ready = page.readyFilms(sent, of: assembly, isLast: isLast)
            guard !ready.isEmpty else { return }
            sent = ready.upperBound
            try await output?.write(page.rows(ready, of: assembly))
        }
        try await output?.write(page.opening(first, awaitsRows: true))
        do {
            let last = try await visitor.query.finish(started, partLimit: WebTiming.partLimit) { snapshot in
                try await sendFilms(decoded.readable(snapshot))
            }
            try await sendFilms(decoded.readable(last), isLast: true)
        } catch let failure as Failure {
            // The status has been sent: the films that are missing have this reason.
            for slot in shown.missing { shown.receive(.failed(failure), for: slot) }
            try await sendFilms(shown, isLast: true)
        }
        let how = explanationLink(visitor.query, address, page.frame, titles: titles(of: shown))
        let notes = page.notes(shown) + notes(of: visitor, page.frame)
        try await output?.write(page.closing(shown, notes: notes, how: how, firstSource: first.source))
    }

    private func titles(of assembly: ShowAssembly) -> [String: String] {
        let entries = decoded.chart(assembly.chart)?.entries ?? []
        return Dictionary(entries.map { ($0.code, $0.title) }, uniquingKeysWith: { $1 })
    }

    /// What the rows of a whole country's day show of the days before.
    private func trends(_ selection: ChartSelection, _ query: Query) async -> ChartTrends? {
        guard let days = trendDays(selection) else { return nil }
        return ChartTrends(await query.knownCharts(in: days), until: selection.days.lowerBound)
    }

    private func trendKeys(_ selection: ChartSelection) -> [String] {
        trendDays(selection).map { $0.map { ArchiveKey.make(.daily($0)) } } ?? []
    }

    private func trendDays(_ selection: ChartSelection) -> ClosedRange<Day>? {
        let day = selection.days.lowerBound
        return selection == .daily(day) ? ChartTrends.daysBefore(day) : nil
    }

    /// Why only stored values are shown.
    private func notes(of visitor: VisitorQuery, _ frame: PageFrame) -> [String] {
        visitor.refusal.map { [$0.failure.message(frame.language)] } ?? []
    }
}
