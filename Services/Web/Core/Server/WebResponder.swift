import Assembly
import Contracts
import Domain
import Envelope
import HTTPTypes
import Localization
import Logging
import MessageBus
import ProcessKit
import Wording

/// Answers requests with pages, JSON and images; each question to the stack is a query on the bus.
struct WebResponder: Sendable {
    /// A daily chart has ten films.
    static let films = 10

    let bus: MessageBus
    let configuration: WebConfiguration
    let clock: WallClock
    let queries: VisitorQueries
    let pages: PageCache
    let watches: ChartWatches
    let streams: LiveStreams
    let live: LiveFeed
    let decoded: DecodedParts
    let assets = Assets()
    let explanations = ExplanationStore()
    private let meanings: RequestMeanings
    private let requestGuard: RequestGuard

    init(bus: MessageBus, _ configuration: WebConfiguration, clock: WallClock, logger: Logger) {
        self.bus = bus
        self.configuration = configuration
        self.clock = clock
        pages = PageCache(maxBytes: configuration.cacheMegabytes << 20)
        decoded = DecodedParts()
        queries = VisitorQueries(bus: bus, clock: clock, callsPerDay: configuration.callsPerDay)
        watches = ChartWatches(queries: queries, decoded: decoded, clock: clock)
        streams = LiveStreams()
        meanings = RequestMeanings(usual: configuration.language)
        live = LiveFeed(bus: bus, pages: pages, watches: watches, streams: streams, logger: logger)
        requestGuard = RequestGuard(allowedHosts: configuration.allowedHosts)
    }

    /// What the texts of a request mean now.
    func read(_ texts: RequestTexts) -> RequestMeaning { meanings.meaning(of: texts, now: clock.now()) }

    /// An answer that is known at once, or the query that it takes.
    ///
    /// Most requests need no query. A task keeps the memory of its deepest call for as long as its connection is open,
    /// so that those answers are made without one.
    enum Answer {
        case ready(WebResponse)
        case query(() async throws -> WebResponse)
    }

    /// The answer to any request; a failure is an answer, too.
    ///
    /// - Throws: `CancellationError` only.
    func respond(to request: WebRequest) async throws -> WebResponse {
        switch answer(request) {
        case .ready(let response): return response
        case .query(let query): return try await timedResponse(to: request, query)
        }
    }

    /// Names the trace of the query and how long it took, unless the site's visitors shall not know.
    private func timedResponse(
        to request: WebRequest, _ query: () async throws -> WebResponse
    ) async throws -> WebResponse {
        let start = ContinuousClock.now
        var response = try await response(to: request, query)
        guard configuration.explains else { return response }
        response.fields.append(HTTPField(name: .traceparent, value: request.trace.traceparent.description))
        let milliseconds = Double((ContinuousClock.now - start).wholeMicroseconds) / 1000
        response.fields.append(HTTPField(name: .serverTiming, value: "answer;dur=\(milliseconds)"))
        return response
    }

    private func answer(_ request: WebRequest) -> Answer {
        if let refusal = requestGuard.refusal(request) { return .ready(refusal) }
        switch request.meaning.route {
        case .success(let route): return answer(route, request)
        case .failure(let error):
            let message = MessagePage(frame: frame(request)).unknown(error)
            return .ready(
                page(message, HTTPResponse.Status(error), retryAfter: secondsUntilPublished(error)))
        }
    }

    private func answer(_ route: Route, _ request: WebRequest) -> Answer {
        switch route {
        case .page(let address): page(address, request)
        case .json(let address): .query { try await json(address, request) }
        case .table(let selection): .query { try await table(selection, request) }
        case .refresh(let address): .query { try await refresh(address, request) }
        case .load(let code): .query { try await load(code, request) }
        case .date(let text): .ready(date(text, request))
        case .poster(let code): .query { try await poster(code, request) }
        case .schema(let name): .ready(schema(name))
        case .asset(let name): .ready(asset(name))
        case .events(let topic, let after): .ready(events(topic, after: after, request))
        case .feed: .query { try await feed(request) }
        case .brief(let day, let isJSON): .query { try await brief(day, isJSON: isJSON, request) }
        case .health: .ready(.text(.ok, "ok"))
        case .robots: .ready(robots())
        }
    }

    private func response(
        to request: WebRequest, _ query: () async throws -> WebResponse
    ) async throws -> WebResponse {
        do {
            return try await query()
        } catch let failed as FailedQuery {
            return try failure(failed.cause, request, failed.query)
        } catch {
            return try failure(error, request, nil)
        }
    }

    /// - Throws: an error that is no answer.
    private func failure(_ error: any Error, _ request: WebRequest, _ query: Query?) throws -> WebResponse {
        switch error {
        case let failure as Failure: return failurePage(failure, request, query)
        case let refused as CallsRefused:
            // Its message is for visitors.
            return failurePage(
                refused.failure, reason: refused.failure.message(request.language), request, query,
                retryAfter: refused.retryAfter)
        case is DecodingError: return failurePage(.unreadable, request, query)
        default: throw error
        }
    }

    /// The latest day with a chart, in Seoul.
    var yesterday: Day { .yesterdayInSeoul(secondsSinceEpoch: clock.now()) }

    func frame(_ request: WebRequest) -> PageFrame {
        PageFrame(
            language: request.language, isLanguageChosen: request.meaning.chosenLanguage != nil,
            yesterday: yesterday, assets: assets, site: configuration.url,
            hasHow: configuration.explains, isStatic: configuration.isStatic)
    }

    func page(_ html: [UInt8], _ status: HTTPResponse.Status = .ok, retryAfter: Int? = nil) -> WebResponse {
        .html(status, .bytes(html), retryAfter.map { [.retryAfter: String($0)] } ?? [:])
    }

    private func failurePage(
        _ failure: Failure, reason: String? = nil, _ request: WebRequest, _ query: Query?, retryAfter: Int? = nil
    ) -> WebResponse {
        let frame = frame(request)
        var date: Day?
        var again = request.target
        var how: PageLink?
        switch request.meaning.route {
        case .success(.load(let code)): again = frame.href(.film(code))
        case .success(.page(let address)), .success(.refresh(let address)):
            if case .chart(let selection, _) = address { date = selection.days.lowerBound }
            again = frame.href(address)
            how = query.flatMap { explanationLink($0, address, frame) }
        default: break
        }
        let message = MessagePage(frame: frame).failure(
            failure, reason ?? VisitorWording(language: frame.language).reason(failure), again: again, date: date,
            how: how)
        return page(
            message, HTTPResponse.Status(failure.code), retryAfter: retryAfter ?? wait(after: failure))
    }

    /// When another attempt may help; nil when only the operator can help.
    private func wait(after failure: Failure) -> Int? {
        switch failure.code {
        case .quotaExceeded, .quotaReserved: secondsUntil(endOf: .inSeoul(secondsSinceEpoch: clock.now()))
        default: failure.isRetryable ? WebTiming.retryAfterSeconds : nil
        }
    }

    /// A chart that is not published yet has its time.
    private func secondsUntilPublished(_ error: RouteError) -> Int? {
        guard case .day(.notPublished(let day)) = error else { return nil }
        return secondsUntil(endOf: day)
    }

    private func secondsUntil(endOf day: Day) -> Int {
        // Midnight in Seoul is fifteen hours after that of UTC on the day before.
        let midnight = Double(day.daysSinceEpoch + 1) * 86_400 - 9 * 3600
        return max(1, Int((midnight - clock.now()).rounded(.up)))
    }
}
