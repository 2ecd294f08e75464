import Assembly
import Contracts
import Envelope
import HTTPKit
import Localization
import MessageBus
import ProcessKit
import Synchronization

/// Makes the queries of visitors. Each reserves the upstream calls that it may cause; beyond the budget it reads only
/// stored values.
final class VisitorQueries: Sendable {
    /// What a query may cost in upstream calls.
    enum Cost {
        static let part = 1
        /// All parts of a film.
        static let film = FilmPart.allCases.reduce(0) { $0 + $1.calls }
        /// A chart with the parts of ten films.
        static let chartWithFilms = part + 10 * film
        /// The charts that a visit of a film's page may fetch: such a page costs at most what a chart's page does.
        static let run = chartWithFilms - film
    }

    private let bus: MessageBus
    private let clock: WallClock
    private let requests = SharedRequests()
    private let start = ContinuousClock.now
    private let budget: Mutex<CallBudget>
    /// The films whose runs are being fetched.
    private let fetchedRuns = Mutex<Set<String>>([])

    init(bus: MessageBus, clock: WallClock, callsPerDay: Int) {
        self.bus = bus
        self.clock = clock
        budget = Mutex(CallBudget(callsPerDay: callsPerDay))
    }

    /// Runs a query.
    ///
    /// - Parameters:
    ///   - calls: the upstream calls that it may cause.
    ///   - visitor: who causes them.
    ///   - isLoad: whether the query is of use only with calls.
    /// - Throws: `FailedQuery` for what `body` throws; `CallsRefused` for a refresh or a load beyond the budget.
    func run<Answer>(
        calls: Int, for visitor: Visitor, trace: Trace, isRefresh: Bool = false, isLoad: Bool = false,
        _ body: (VisitorQuery) async throws -> Answer
    ) async throws -> Answer {
        let query = try reserve(calls: calls, for: visitor, trace: trace, isRefresh: isRefresh)
        // Beyond the budget there is nothing to load.
        if isLoad, let refusal = query.refusal { throw refusal }
        let answer = try await settlingFailure(of: query) { try await body(query) }
        // What the archive has called is not known here: a load costs all that it has reserved.
        if !isLoad { settle(query) }
        return answer
    }

    /// Ends a reserved query when `body` throws.
    ///
    /// - Throws: `FailedQuery`.
    func settlingFailure<Answer>(
        of visitor: VisitorQuery, _ body: () async throws -> Answer
    ) async throws -> Answer {
        do {
            return try await body()
        } catch {
            settle(visitor)
            throw FailedQuery(query: visitor.query, cause: error)
        }
    }

    /// A query that continues after its caller has returned; `settle` ends it.
    func reserve(
        calls: Int, for visitor: Visitor, trace: Trace, isRefresh: Bool = false
    ) throws(CallsRefused) -> VisitorQuery {
        let now = ContinuousClock.now - start
        let refusal: CallsRefused? =
            visitor.isOfOtherSite
            ? .otherSite
            : budget.withLock { $0.reserve(calls, for: visitor.client, now: now) }.map { .budgetSpent(wait: $0) }
        if isRefresh, let refusal { throw refusal }
        let query = Query(
            bus: bus, requests: requests, deadline: .now + WebTiming.answerLimit,
            policy: AnswerPolicy(isRefresh: isRefresh, isOffline: refusal != nil), trace: trace,
            clock: clock)
        return VisitorQuery(query: query, refusal: refusal, calls: refusal == nil ? calls : 0, client: visitor.client)
    }

    /// Lets the archive fetch the charts that a film's run lacks, with calls that the budget can spare.
    ///
    /// - Parameter fetch: gets the number of calls; it returns the run with those that it used. When it throws, all are
    ///   spent: what the archive has called is not known then.
    /// - Returns: the run, and whether nothing is left to fetch; nil when nothing was fetched: without calls to spare, or
    ///   while another visit fetches for the same film.
    func fetchRun(
        of code: String, for query: VisitorQuery, _ fetch: (Int) async throws -> ArchivedRun
    ) async -> (run: ArchivedRun, isAll: Bool)? {
        guard query.refusal == nil, fetchedRuns.withLock({ $0.insert(code).inserted }) else { return nil }
        defer { fetchedRuns.withLock { _ = $0.remove(code) } }
        let now = ContinuousClock.now - start
        let calls = budget.withLock { $0.reserveSpare(upTo: Cost.run, for: query.client, now: now) }
        guard calls > 0 else { return nil }
        do {
            let run = try await fetch(calls)
            budget.withLock { $0.refund(max(0, calls - run.calls), to: query.client) }
            return (run, run.calls < calls)
        } catch {
            // The page shows what is known; the query's explanation has the reason.
            return nil
        }
    }

    /// Gives back the reserved calls that the query did not need.
    func settle(_ query: VisitorQuery) {
        let unused = query.calls - query.query.explanation.upstreamCalls
        budget.withLock { $0.refund(unused, to: query.client) }
    }
}

/// A query of a visitor with its reservation.
struct VisitorQuery: Sendable {
    let query: Query
    /// Why it reads only stored values; nil when it may cause calls.
    let refusal: CallsRefused?
    fileprivate let calls: Int
    fileprivate let client: ClientAddress?

    /// The value of the part that the page cannot do without.
    ///
    /// - Throws: the part's `Failure`; `CallsRefused` when nothing is stored and that is the reason.
    func value(of part: PartOutcome) throws -> [UInt8] {
        if let value = part.value { return value }
        if let refusal, part.failure?.code == .notStored { throw refusal }
        throw part.failure ?? .unreadable
    }
}

/// A query that has no answer.
struct FailedQuery: Error {
    let query: Query
    let cause: any Error
}

/// Who sends a request, as far as its upstream calls depend on it.
struct Visitor: Sendable {
    /// Nil for a client without a limit of its own.
    var client: ClientAddress?
    /// A page of another site has caused the request: its reader did not ask for anything here.
    var isOfOtherSite = false
}

/// Why a query may cause no upstream calls.
enum CallsRefused: Error {
    /// None are left for visitors.
    ///
    /// - Parameter wait: the time until there are.
    case budgetSpent(wait: Duration)
    case otherSite

    /// In seconds; nil when waiting does not help.
    var retryAfter: Int? {
        if case .budgetSpent(let wait) = self { Int(wait.components.seconds) + 1 } else { nil }
    }

    var failure: Failure {
        switch self {
        case .budgetSpent(let wait):
            let minutes = max(1, Int(wait.components.seconds + 59) / 60)
            return Failure(
                .quotaExceeded,
                LocalizedText(
                    ko: "방문자가 쓸 수 있는 업스트림 호출이 지금은 남아 있지 않아 저장된 자료만 보여 드립니다. 약 \(minutes)분 뒤에 다시 시도하세요.",
                    en:
                        "Visitors have used up their upstream calls for now, so only stored values are shown. Try again in "
                        + "about \(minutes == 1 ? "a minute" : "\(minutes) minutes")."),
                isRetryable: true)
        case .otherSite:
            return Failure(
                .notStored,
                LocalizedText(
                    ko: "다른 웹사이트가 보낸 요청에는 저장된 자료만 보여 드립니다. 이 주소를 브라우저에서 직접 여세요.",
                    en:
                        "Another website sent this request, so only stored values are shown. Open the address itself in a browser."
                ),
                isRetryable: false)
        }
    }
}
