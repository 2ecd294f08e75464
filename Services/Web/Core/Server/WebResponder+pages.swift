import Assembly
import Contracts
import Domain
import Envelope
import HTTPTypes
import Localization
import MessageBus
import ProcessKit
import Wording

/// Pages for people.
extension WebResponder {
    func page(_ address: PageAddress, _ request: WebRequest) -> Answer {
        if let kept = keptPage(address, request) { return .ready(kept) }
        let frame = frame(request)
        switch address {
        case .chart(let selection, let layout): return .query { try await chart(selection, layout, request) }
        case .film(let code, let day): return .query { try await film(code, until: day, frame, request) }
        case .search(let search):
            guard !search.isEmpty else {
                return .ready(page(SearchPage(frame: frame, posters: configuration.posters).form()))
            }
            return .query { try await self.search(search, frame, request) }
        case .calendar(let month): return .query { try await calendar(month, frame, request) }
        case .month(let month): return .query { try await range(month.days, address, frame, request) }
        case .year(let year):
            guard let days = ChartPeriod.year(named: "\(year)") else {
                return .ready(page(MessagePage(frame: frame).unknown(.unknown), .notFound))
            }
            return .query { try await range(days, address, frame, request) }
        case .compare(let films, let axis): return .query { try await compare(films, by: axis, frame, request) }
        case .records(let days): return .query { try await records(days, frame, request) }
        case .how(let id): return .ready(how(id, frame))
        case .activity(let filter):
            guard configuration.explains else {
                return .ready(page(MessagePage(frame: frame).unknown(.unknown), .notFound))
            }
            return .query { try await activity(filter, frame) }
        case .about: return .ready(page(MessagePage(frame: frame).about(configuration.posters)))
        }
    }

    private func search(
        _ search: FilmSearch, _ frame: PageFrame, _ request: WebRequest
    ) async throws -> WebResponse {
        let (moment, address) = (pages.moment, PageAddress.search(search))
        return try await queries.run(calls: VisitorQueries.Cost.part, for: request.visitor, trace: request.trace) {
            visitor in
            let outcome = try await visitor.query.search(search)
            let films = try decoded.value(of: outcome, in: visitor, decoded.films)
            // Films that were in a chart are what most people look for.
            var archived: ArchiveTitlesReply?
            if let title = search.title, search.page == 1, search.director == nil {
                archived = await visitor.query.knownFilms(titled: title)
            }
            let codes = films.films.map(\.code) + (archived?.films.map(\.code) ?? [])
            let answers = SearchPage.Answers(
                outcome: outcome, page: films, archived: archived,
                posters: try await storedPosters(of: codes, visitor.query))
            let html = SearchPage(frame: frame, posters: configuration.posters).html(
                search, answers, how: explanationLink(visitor.query, address, frame))
            let made = MadePage(
                html: html, parts: [outcome],
                keys: [FilmSearchRequest(search, isRefresh: false).cacheKey]
                    + codes.map { PosterRequest.cacheKey(code: $0) },
                isWhole: visitor.refusal == nil)
            return answer(to: request, address, made, since: moment)
        }
    }

    private func calendar(_ month: Month, _ frame: PageFrame, _ request: WebRequest) async throws -> WebResponse {
        let moment = pages.moment
        return try await queries.run(calls: 0, for: request.visitor, trace: request.trace) { visitor in
            let days = month.days.clamped(to: Day.firstChart...frame.yesterday)
            var (leaders, failure): (ArchiveLeadersReply?, Failure?)
            do {
                leaders = try await visitor.query.leaders(in: days, calls: 0)
            } catch let error as Failure where error.code != .brokerLost {
                // The links of the days lead to their charts all the same.
                failure = error
            }
            let frame = try await naming((leaders?.days ?? []).compactMap(\.code), frame, visitor.query)
            let how = explanationLink(visitor.query, .calendar(month), frame)
            let html = CalendarPage(frame: frame).html(month, leaders?.days ?? [], failure: failure, how: how)
            guard let leaders else { return page(html) }
            return answer(to: request, .calendar(month), made(html, of: days, leaders.basis), since: moment)
        }
    }

    private func how(_ id: String, _ frame: PageFrame) -> WebResponse {
        guard let record = explanations[id] else {
            let message = MessagePage(frame: frame).error(
                frame.language("이 질의는 기억하지 않습니다.", "This query is not remembered."),
                [
                    frame.language(
                        "최근 질의 1,000개만 기억합니다. 페이지를 다시 열면 새 질의가 됩니다.",
                        "Only the last 1,000 are. Open the page again for a new query.")
                ])
            return page(message, .notFound)
        }
        return page(HowPage(frame: frame).html(record, query: id))
    }

    private func activity(_ filter: ActivityFilter, _ frame: PageFrame) async throws -> WebResponse {
        let instances: [String]?
        do {
            let status = try await bus.workers(deadline: .now + WebTiming.answerLimit)
            instances = Set(status.workers.map(\.instance)).sorted()
        } catch is Failure {
            instances = nil
        }
        return page(
            ActivityPage(frame: frame).html(filter, instances: instances, questions: explanations.latest(20)))
    }

    private func film(
        _ code: String, until day: Day?, _ frame: PageFrame, _ request: WebRequest
    ) async throws -> WebResponse {
        let (moment, address) = (pages.moment, PageAddress.film(code, until: day))
        return try await queries.run(calls: VisitorQueries.Cost.film, for: request.visitor, trace: request.trace) {
            visitor in
            let detail = try await visitor.query.movie(code: code)
            let film = try decoded.value(of: detail, in: visitor, decoded.detail)
            // The page is about the detail: it does not wait long for the rest.
            let query = visitor.query.limited(to: WebTiming.partLimit)
            async let awaitedPoster = query.poster(of: film)
            let (run, isAll) = await run(of: film, until: day ?? frame.yesterday, visitor)
            let page = DetailPage(frame: frame, posters: configuration.posters, now: clock.now(), decoded: decoded)
            let poster = try await awaitedPoster
            let html = page.html(
                film, at: address, detail: detail, poster: poster, run: run,
                how: explanationLink(query, address, frame, titles: [code: film.title]))
            let charts = (run.map { Array($0.daysOfFigures(until: day ?? frame.yesterday)) } ?? []).map {
                ArchiveKey.make(.daily($0))
            }
            // Without rows nothing tells which charts the run has; while some can be fetched, the next visit does.
            let made = MadePage(
                html: html, parts: [detail, poster], keys: FilmPart.cacheKeys(code: code) + charts,
                isWhole: visitor.refusal == nil && run?.run != nil && isAll && decoded.poster(poster) != nil,
                longest: run?.isKnown == true ? .max : WebTiming.rangeSeconds)
            return answer(to: request, address, made, since: moment)
        }
    }

    /// A film's run as the archive knows it; charts that it lacks are fetched within the time and the calls of a page.
    ///
    /// - Returns: nil when the archive does not answer soon; and whether nothing is left to fetch.
    private func run(
        of film: FilmDetail, until last: Day, _ visitor: VisitorQuery
    ) async -> (run: ArchivedRun?, isAll: Bool) {
        let query = visitor.query.limited(to: WebTiming.partLimit)
        let known = await query.knownRun(of: film.code, until: last)
        guard let known, !known.isKnown else { return (known, known != nil) }
        let fetched = await queries.fetchRun(of: film.code, for: visitor) { calls in
            try await query.filmRun(of: film.code, openedOn: film.openingDay, until: last, calls: calls)
        }
        return fetched.map { ($0.run, $0.isAll) } ?? (known, false)
    }

    /// Keeps how the query was answered.
    ///
    /// - Returns: the link to it; nil when pages do not explain themselves.
    /// - Parameter titles: of the films that it is about, by code.
    func explanationLink(
        _ query: Query, _ address: PageAddress, _ frame: PageFrame, titles: [String: String] = [:]
    ) -> PageLink? {
        guard configuration.explains else { return nil }
        let explanation = query.explanation
        explanations.insert(.init(explanation: explanation, page: address, titles: titles), query: query.id)
        let question = frame.language("처리 과정:", "How this was answered:")
        return frame.link(.how(query.id), "\(question) \(HowPage.summary(explanation, frame.language))")
    }
}
