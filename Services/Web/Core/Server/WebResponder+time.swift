import Assembly
import Contracts
import Domain
import Envelope
import HTTPTypes
import Localization
import ProcessKit
import Wording

/// Pages about a range of days: from the archive, without a call of an upstream.
extension WebResponder {
    private static let rangeFilms = 10

    func range(
        _ days: ClosedRange<Day>, _ address: PageAddress, _ frame: PageFrame, _ request: WebRequest
    ) async throws -> WebResponse {
        let moment = pages.moment
        let days = days.clamped(to: Day.firstChart...frame.yesterday)
        let period: ChartPeriod = if case .year = address { .year } else { .month }
        return try await queries.run(calls: 0, for: request.visitor, trace: request.trace) { visitor in
            let query = visitor.query
            async let awaitedLeaders = query.leaders(in: days, calls: 0)
            async let awaitedShares = query.shares(in: days, by: period, calls: 0)
            let top = try await query.topFilms(
                in: days, by: .audience, nation: nil, limit: Self.rangeFilms, calls: 0)
            let posters = try await storedPosters(of: top.films.map(\.code), query)
            let (leaders, shares) = try await (awaitedLeaders, awaitedShares)
            let frame = try await naming(
                top.films.map(\.code) + leaders.days.compactMap(\.code) + leaders.weeks.map(\.code), frame, query)
            let answers = RangePage.Answers(
                top: top, leaders: leaders, share: shares.periods.first, posters: posters)
            let page = RangePage(frame: frame, posters: configuration.posters)
            let how = explanationLink(query, address, frame)
            let html: [UInt8]
            switch address {
            case .month(let month): html = page.month(month, answers, how: how)
            case .year(let year): html = page.year(year, answers, how: how)
            default: return self.page(MessagePage(frame: frame).unknown(.unknown), .notFound)
            }
            return answer(to: request, address, made(html, of: days, leaders.basis), since: moment)
        }
    }

    func records(
        _ days: ClosedRange<Day>?, _ frame: PageFrame, _ request: WebRequest
    ) async throws -> WebResponse {
        try await queries.run(calls: 0, for: request.visitor, trace: request.trace) { visitor in
            let reply = try await visitor.query.records(in: days, calls: 0)
            let frame = try await naming(reply.records.map(\.code), frame, visitor.query)
            let how = explanationLink(visitor.query, .records(days), frame)
            return page(RecordsPage(frame: frame).html(reply, of: days, how: how))
        }
    }

    /// The frame with the stored English titles of films, for a page in English.
    func naming(_ codes: [String], _ frame: PageFrame, _ query: Query) async throws -> PageFrame {
        guard frame.language == .en, !codes.isEmpty else { return frame }
        var frame = frame
        frame.englishTitles = try await query.storedEnglishTitles(of: Array(Set(codes)))
        return frame
    }

    /// A page that is kept for a while, and until a chart of its days changes.
    func made(_ html: [UInt8], of days: ClosedRange<Day>, _ basis: ArchiveBasis) -> MadePage {
        let part = PartOutcome.fresh(
            [], cache: CacheStatus(hit: true, ttl: WebTiming.rangeSeconds), sender: nil,
            source: basis.source ?? .upstream)
        return MadePage(
            html: html, parts: [part], keys: days.map { ArchiveKey.make(.daily($0)) }, isWhole: basis.known > 0)
    }

    /// The stored posters of these films; none where pages show no images.
    func storedPosters(of codes: [String], _ query: Query) async throws -> [String: Poster] {
        guard configuration.posters == .proxy, !codes.isEmpty else { return [:] }
        let keys = codes.map { PosterRequest.cacheKey(code: $0) }
        let stored = try await query.peek(keys)
        return zip(codes, keys).reduce(into: [:]) { posters, film in
            // An entry of another release may be unreadable: it counts as not stored.
            posters[film.0] = stored[film.1]?.value.flatMap { try? JSONBytes.decode(Poster.self, from: $0) }
        }
    }

    // MARK: Compare

    func compare(
        _ films: [String], by axis: RunComparison.Axis, _ frame: PageFrame, _ request: WebRequest
    ) async throws -> WebResponse {
        let page = ComparePage(frame: frame)
        guard films.count > 1 else {
            let note = films.isEmpty ? nil : frame.language("영화를 하나 더 쓰세요.", "Give one more film.")
            return self.page(page.form(films, note: note))
        }
        // A title may be searched in the catalogue.
        let calls = films.count * VisitorQueries.Cost.part
        return try await queries.run(calls: calls, for: request.visitor, trace: request.trace) { visitor in
            var found: [ComparePage.Film] = []
            for film in films { found.append(try await compared(film, visitor.query, frame)) }
            let codes = found.flatMap { film -> [String] in
                switch film {
                case .run(let run): [run.code]
                case .candidates(_, let films): films.prefix(20).map(\.code)
                case .withoutRun: []
                }
            }
            let frame = try await naming(codes, frame, visitor.query)
            let how = explanationLink(visitor.query, .compare(films, axis), frame)
            return self.page(ComparePage(frame: frame).html(films, found, by: axis, how: how))
        }
    }

    private func compared(_ film: String, _ query: Query, _ frame: PageFrame) async throws -> ComparePage.Film {
        var code: String?
        if case .code(let given) = FilmReference(film) {
            code = given
        } else {
            let candidates = try await query.candidates(for: .title(film), on: frame.yesterday)
            guard let only = candidates.only else { return .candidates(film, candidates.films) }
            code = only.code
        }
        guard let code else { return .candidates(film, []) }
        let run = try await query.filmRun(of: code, openedOn: nil, until: frame.yesterday, calls: 0)
        return run.run.map(ComparePage.Film.run) ?? .withoutRun(film)
    }

    // MARK: Load

    /// Charts that a visitor's request for a film's run may fetch.
    private static let loadedCharts = 60

    /// Fetches the charts that a film's run lacks, as far as the visitors' budget allows, and leads back to its page.
    func load(_ code: String, _ request: WebRequest) async throws -> WebResponse {
        let frame = frame(request)
        return try await queries.run(
            calls: Self.loadedCharts, for: request.visitor, trace: request.trace, isLoad: true
        ) { visitor in
            let query = visitor.query
            let known = try await query.filmRun(of: code, openedOn: nil, until: frame.yesterday, calls: 0)
            var opening: Day?
            if known.run == nil {
                let detail = try await query.movie(code: code)
                opening = try detail.value.map { try JSONBytes.decode(FilmDetail.self, from: $0) }?.openingDay
            }
            _ = try await query.filmRun(
                of: code, openedOn: opening, until: frame.yesterday, calls: Self.loadedCharts)
            return .redirect(frame.href(.film(code)))
        }
    }

    // MARK: Brief

    func brief(_ day: Day?, isJSON: Bool, _ request: WebRequest) async throws -> WebResponse {
        let frame = frame(request)
        let calls = 2 * VisitorQueries.Cost.part
        return try await queries.run(calls: calls, for: request.visitor, trace: request.trace) { visitor in
            let parts = try await visitor.query.brief(of: day ?? frame.yesterday)
            if isJSON {
                return WebResponse(
                    .ok, AnswerJSON.brief(parts) + [UInt8(ascii: "\n")], "application/json; charset=utf-8", [:])
            }
            let sentences = BriefWording(language: frame.language).sentences(parts.brief)
            let label = parts.source.label.map { [$0(frame.language)] } ?? []
            let heading = ([ChartWording(language: frame.language).longDay(parts.brief.day)] + label)
                .joined(separator: " · ")
            return .text(.ok, ([heading] + sentences).map { $0.withoutControls }.joined(separator: "\n") + "\n")
        }
    }
}
