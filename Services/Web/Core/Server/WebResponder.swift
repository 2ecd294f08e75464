import Assembly
import BoxOffice
import Contracts
import Envelope
import HTTPTypes
import Localization
import MessageBus
import ProcessKit
import Schemas
import Wording

/// Answers requests with pages, JSON and images; each question to the stack is a query on the bus.
struct WebResponder: Sendable {
    private let bus: MessageBus
    private let configuration: WebConfiguration
    private let clock: WallClock
    private let requests = SharedRequests()
    private let templates: PageTemplates
    private let assets = Assets()
    private let explanations = ExplanationStore()
    private let requestGuard: RequestGuard

    /// - Throws: an error of the templates' parser, which a test excludes.
    init(bus: MessageBus, _ configuration: WebConfiguration, clock: WallClock) throws {
        self.bus = bus
        self.configuration = configuration
        self.clock = clock
        templates = try PageTemplates()
        requestGuard = RequestGuard(allowedHosts: configuration.allowedHosts)
    }

    /// The answer to any request; a failure is an answer, too.
    ///
    /// - Throws: `CancellationError` only.
    func respond(to request: WebRequest) async throws -> WebResponse {
        if let refusal = requestGuard.refusal(request) { return refusal }
        let route: Route
        do {
            route = try Route(request.method == .post ? .post : .get, request.target, now: clock.now())
        } catch {
            let message = MessagePage(frame: frame(request)).unknown(error)
            return page(.message, message, HTTPResponse.Status(error), retryAfter: secondsUntilPublished(error))
        }
        do {
            return try await answer(route, request)
        } catch let failure as Failure {
            return self.failure(failure, request)
        } catch is DecodingError {
            return self.failure(.unreadable, request)
        }
    }

    private func answer(_ route: Route, _ request: WebRequest) async throws -> WebResponse {
        switch route {
        case .page(let address): try await page(address, request)
        case .json(let address): try await json(address)
        case .refresh(let address): try await refresh(address, request)
        case .date(let text): date(text, request)
        case .poster(let code): try await poster(code)
        case .schema(let name): schema(name)
        case .asset(let name): asset(name)
        case .health: .text(.ok, "ok")
        case .robots: robots()
        }
    }

    private func frame(_ request: WebRequest) -> PageFrame {
        PageFrame(
            language: request.language, isLanguageChosen: request.chosenLanguage != nil,
            yesterday: .yesterdayInSeoul(secondsSinceEpoch: clock.now()), assets: assets)
    }

    private func query(isRefresh: Bool = false) -> Query {
        Query(
            bus: bus, requests: requests, deadline: .now + WebTiming.answerLimit,
            policy: AnswerPolicy(isRefresh: isRefresh),
            requestClass: .web, clock: clock)
    }
}

// MARK: Pages

extension WebResponder {
    private func page(_ address: PageAddress, _ request: WebRequest) async throws -> WebResponse {
        let frame = frame(request)
        switch address {
        case .chart(let selection, let layout):
            let query = query()
            let assembly = try await query.show(selection, top: Self.films, partLimit: WebTiming.partLimit)
                .withoutUnreadableParts()
            guard assembly.chart.value != nil else {
                return failure(assembly.chart.failure ?? .unreadable, request, date: selection.days.lowerBound)
            }
            let chart = ChartPage(frame: frame, layout: layout, posters: configuration.posters, now: clock.now())
            return page(.chart, explained(try chart.values(assembly), query, address, frame))
        case .film(let code): return try await film(code, frame, request)
        case .search(let text, let number):
            guard !text.isEmpty else {
                let message = MessagePage(frame: frame).error(
                    frame.language("찾을 제목이 없습니다.", "There is no title to search for."),
                    [frame.language("영화 제목의 일부를 쓰세요.", "Give a part of a film's title.")])
                return page(.message, message, .badRequest)
            }
            let search = FilmSearch(
                title: text, page: PageNumber(clamping: number), pageSize: FilmSearch.usualPageSize)
            let query = query()
            let outcome = try await query.search(search)
            guard outcome.value != nil else { return failure(outcome.failure ?? .unreadable, request) }
            return page(.search, explained(try SearchPage(frame: frame).values(search, outcome), query, address, frame))
        case .calendar(let month):
            let stored = try await query().storedDays(of: month.days)
            return page(.calendar, CalendarPage(frame: frame).values(month, stored: stored))
        case .how(let id):
            guard let record = explanations[id] else {
                let message = MessagePage(frame: frame).error(
                    frame.language("이 질의는 기억하지 않습니다.", "This query is not remembered."),
                    [
                        frame.language(
                            "최근 질의 1,000개만 기억합니다. 페이지를 다시 열면 새 질의가 됩니다.",
                            "Only the last 1,000 are. Open the page again for a new query.")
                    ])
                return page(.message, message, .notFound)
            }
            return page(.how, HowPage(frame: frame).values(record, query: id))
        case .about: return page(.message, MessagePage(frame: frame).about(configuration.posters))
        }
    }

    /// A daily chart has ten films.
    private static let films = 10

    private func film(_ code: String, _ frame: PageFrame, _ request: WebRequest) async throws -> WebResponse {
        let query = query()
        async let poster = query.poster(code: code).poster
        let detail = try await query.movie(code: code)
        let film = try detail.value.map { try JSONBytes.decode(FilmDetail.self, from: $0) }
        let run = film == nil ? nil : try await query.run(of: code, openedOn: film?.openingDay, until: frame.yesterday)
        let page = try DetailPage(frame: frame, posters: configuration.posters).values(
            code: code, detail: detail, poster: try await poster, run: run)
        guard let page else { return failure(detail.failure ?? .unreadable, request) }
        return self.page(.film, explained(page, query, .film(code), frame))
    }

    /// Keeps how the query was answered, and adds the link to it.
    private func explained(
        _ values: [String: Any], _ query: Query, _ address: PageAddress, _ frame: PageFrame
    ) -> [String: Any] {
        guard configuration.explains else { return values }
        let explanation = query.explanation
        explanations.insert(.init(explanation: explanation, page: address.path()), query: query.id)
        var values = values
        let question = frame.language("이 답은 어떻게 왔나요?", "How was this answered?")
        values["how"] = frame.link(.how(query.id), "\(question) \(HowPage.summary(explanation, frame.language))")
        return values
    }

    private func page(
        _ name: PageTemplates.Name, _ values: [String: Any], _ status: HTTPResponse.Status = .ok,
        retryAfter: Int? = nil
    ) -> WebResponse {
        .html(status, templates.html(name, values), retryAfter.map { [.retryAfter: String($0)] } ?? [:])
    }

    private func failure(_ failure: Failure, _ request: WebRequest, date: Day? = nil) -> WebResponse {
        let frame = frame(request)
        let message = MessagePage(frame: frame).failure(failure, again: request.path, date: date)
        return page(
            .message, message, HTTPResponse.Status(failure.code),
            retryAfter: failure.isRetryable ? WebTiming.retryAfterSeconds : nil)
    }

    /// A chart that is not published yet has its time.
    private func secondsUntilPublished(_ error: RouteError) -> Int? {
        guard case .day(.notPublished(let day)) = error else { return nil }
        // Midnight in Seoul is fifteen hours after that of UTC on the day before.
        let midnight = Double(day.daysSinceEpoch + 1) * 86_400 - 9 * 3600
        return max(1, Int((midnight - clock.now()).rounded(.up)))
    }
}

// MARK: Other answers

extension WebResponder {
    /// The bytes of `gateway … --json`.
    private func json(_ address: PageAddress) async throws -> WebResponse {
        let (bytes, failure) = try await jsonBytes(address)
        return WebResponse(
            failure.map { HTTPResponse.Status($0.code) } ?? .ok, bytes + [UInt8(ascii: "\n")],
            "application/json; charset=utf-8")
    }

    /// - Returns: the failure of the part that the answer cannot do without.
    private func jsonBytes(_ address: PageAddress) async throws -> ([UInt8], Failure?) {
        func failure(_ part: PartOutcome) -> Failure? { part.value == nil ? part.failure ?? .unreadable : nil }
        switch address {
        case .chart(let selection, _) where selection == .daily(selection.days.lowerBound):
            let assembly = try await query().show(selection, top: Self.films)
            return (try AnswerJSON.show(assembly), failure(assembly.chart))
        case .chart(let selection, _):
            let chart = try await query().chart(selection)
            let day = selection.days.lowerBound.iso
            return (try AnswerJSON.single(chart, kind: "chart", asked: ("targetDate", day)), failure(chart))
        case .film(let code):
            let query = query()
            let detail = try await query.movie(code: code)
            let opening = try detail.value.map { try JSONBytes.decode(FilmDetail.self, from: $0).openingDay } ?? nil
            let yesterday = Day.yesterdayInSeoul(secondsSinceEpoch: clock.now())
            let run =
                detail.value == nil ? nil : try await query.run(of: code, openedOn: opening, until: yesterday)
            return (try AnswerJSON.movie(detail, code: code, run: run), failure(detail))
        case .search(let text, let number):
            let search = FilmSearch(
                title: text, page: PageNumber(clamping: number), pageSize: FilmSearch.usualPageSize)
            let outcome = try await query().search(search)
            return (try AnswerJSON.search(outcome, asked: search), failure(outcome))
        case .calendar, .about, .how: return ([], .unreadable)
        }
    }

    /// Fetches a chart and its films anew, whatever the outcome, and shows the page, which names a failure.
    private func refresh(_ address: PageAddress, _ request: WebRequest) async throws -> WebResponse {
        if case .chart(let selection, _) = address {
            _ = try await query(isRefresh: true).show(selection, top: Self.films)
        }
        return .redirect(frame(request).href(address))
    }

    private func date(_ text: String, _ request: WebRequest) -> WebResponse {
        let frame = frame(request)
        do {
            return .redirect(frame.href(.chart(.daily(try Day.ofChart(text, now: clock.now())), .list)))
        } catch {
            return page(.message, MessagePage(frame: frame).unknown(.day(error)), HTTPResponse.Status(.day(error)))
        }
    }

    /// The image of a film's poster. Its address comes from our own search, never from the request.
    private func poster(_ code: String) async throws -> WebResponse {
        guard configuration.posters == .proxy else { return .text(.notFound, "Posters are not shown here.") }
        let query = query()
        let (title, outcome) = try await query.poster(code: code)
        guard let value = outcome.value else {
            return .text(HTTPResponse.Status(outcome.failure?.code ?? .unreadable), "There is no poster.")
        }
        let poster = try JSONBytes.decode(Poster.self, from: value)
        let image = try await query.image(of: poster, title: title)
        // A failed image has a placeholder, which says so.
        guard let bytes = image.attachment, let header = ImageHeader(bytes) else {
            return .text(HTTPResponse.Status(image.failure?.code ?? .unreadable), "There is no image.")
        }
        let isImage = image.value != nil
        var response = WebResponse(
            isImage ? .ok : HTTPResponse.Status(image.failure?.code ?? .unreadable), bytes, header.format.rawValue,
            cache: isImage ? "private, max-age=\(max(0, min(image.cache?.ttl ?? 0, 86_400)))" : "no-store")
        if let name = HTTPField.Name("X-Robots-Tag") { response.fields[name] = "noimageindex" }
        return response
    }

    private func schema(_ name: String) -> WebResponse {
        guard let bytes = Schemas.all[name] else { return .text(.notFound, "There is no such schema.") }
        return WebResponse(.ok, bytes, "application/schema+json", cache: "public, max-age=3600")
    }

    private func asset(_ name: String) -> WebResponse {
        guard let file = assets[name] else { return .text(.notFound, "There is no such file.") }
        var response = WebResponse(
            .ok, file.bytes, file.mediaType, cache: "public, max-age=31536000, immutable")
        response.compressed = file.compressed
        return response
    }

    /// A robot on the calendar would use up the day's calls: the last fortnight is enough for a search engine.
    private func robots() -> WebResponse {
        let yesterday = Day.yesterdayInSeoul(secondsSinceEpoch: clock.now())
        let days = (0..<14).map { "Allow: /\(yesterday.advanced(by: -$0).iso)$" }
        return .text(
            .ok, (["User-agent: *", "Allow: /$", "Allow: /about$"] + days + ["Disallow: /"]).joined(separator: "\n"))
    }
}

/// The durations of the web server.
enum WebTiming {
    /// The limit of an answer with all its parts.
    static let answerLimit: Duration = .seconds(5)
    /// How long a page waits for details and posters after its chart has arrived.
    static let partLimit: Duration = .milliseconds(1500)
    /// What a client is asked to wait after a failure that may pass.
    static let retryAfterSeconds = 30
}
