public import Contracts
public import Domain
public import Envelope
internal import Localization
internal import MessageBus
internal import ProcessKit

/// Questions to the archive.
extension Query {
    /// What a page may take after the query's deadline, when it is only read.
    private static let readingTime: Duration = .seconds(1)
    /// The shortest time in which a fetch is begun.
    private static let fetchingTime: Duration = .seconds(1)

    private static let pagesAhead = 3
    /// The longest wait for a run beside a film's detail.
    private static let knownTime: Duration = .seconds(1)
    /// The longest wait for what a chart's page can do without.
    static let glanceTime: Duration = .milliseconds(300)

    /// The charts of a range, in pages: one for each day or week, unknown ones as well.
    ///
    /// Charts that are not final are fetched first; at the deadline the rest is answered as it is known.
    ///
    /// - Parameters:
    ///   - calls: how many may be fetched; offline none.
    ///   - moment: what was known then, in milliseconds since 1970; nil for what is known now.
    /// - Returns: how many were fetched.
    /// - Throws: `Failure`, `unavailable` when the stack has no archive.
    public func archivedCharts(
        _ kind: ChartKind, in days: ClosedRange<Day>, calls: Int, asOf moment: Int64? = nil,
        onPage: ([ArchivedChart]) async throws -> Void
    ) async throws -> Int {
        let pages = ArchiveChartsRequest.pages(kind, days)
        // While a page is used, the archive reads the next ones; one that fetches tells first how many calls are left.
        let ahead = calls > 0 && mayFetch ? 1 : Self.pagesAhead
        return try await withThrowingTaskGroup(of: (index: Int, page: ArchiveChartsReply).self) { group in
            var (begun, fetched) = (0, 0)
            func begin() {
                guard begun < pages.count else { return }
                let (index, days) = (begun, pages[begun])
                let question = ArchiveChartsRequest(
                    kind, days, calls: ItemLimit(clamping: mayFetch ? calls - fetched : 0), asOf: moment)
                let what = "archive \(kind.rawValue) \(days.lowerBound)..\(days.upperBound)"
                group.addTask { (index, try await askArchive(ArchiveChartsRequest.kind, question, what: what)) }
                begun += 1
            }
            var arrived: [Int: ArchiveChartsReply] = [:]
            for _ in 0..<ahead { begin() }
            for index in pages.indices {
                while arrived[index] == nil, let next = try await group.next() { arrived[next.index] = next.page }
                guard let page = arrived.removeValue(forKey: index) else { break }
                guard page.charts.first?.date == pages[index].lowerBound,
                    page.charts.last?.date == pages[index].upperBound
                else { throw Failure.malformedEnvelope("a page of other charts") }
                // A message may contain any number.
                fetched += min(max(0, page.calls), calls - fetched)
                begin()
                try await onPage(page.charts)
            }
            return fetched
        }
    }

    /// The editions of a chart; an unknown chart is fetched first, unless the query is offline.
    public func editions(_ kind: ChartKind, of day: Day) async throws -> ArchiveEditionsReply {
        let days = kind.days(around: day)
        _ = try await archivedCharts(kind, in: days.lowerBound...days.lowerBound, calls: 1) { _ in }
        return try await askArchive(
            ArchiveEditionsRequest.kind, ArchiveEditionsRequest(kind, day),
            what: "archive editions \(kind.rawValue) \(day)")
    }

    /// A chart as it was known at a moment.
    func archivedChart(_ selection: ChartSelection, asOf moment: Int64) async throws -> PartOutcome {
        var found: ArchivedChart?
        let first = selection.days.lowerBound
        _ = try await archivedCharts(selection.kind, in: first...first, calls: 0, asOf: moment) { found = $0.first }
        guard let found, found.state.isKnown, let seen = found.lastSeen else {
            return .failed(.notKnownThen(selection))
        }
        // Its age is that at the moment: a chart that was provisional then is shown as such.
        let age = Int(clamping: finder.clock.milliseconds.subtractingReportingOverflow(seen).partialValue / 1000)
        return .fresh(
            try JSONBytes.encode(Chart(selection, entries: found.entries)), cache: CacheStatus(hit: true, age: age),
            sender: nil, source: found.source ?? .upstream)
    }

    /// A film's days in the daily charts, and what follows from them.
    ///
    /// - Parameters:
    ///   - opening: as the film's detail has it; nil when that is not known: then a film without a row has no run.
    ///   - last: the last day to look at.
    ///   - calls: how many charts may be fetched; offline none.
    /// - Throws: `Failure`, `unavailable` when the stack has no archive.
    public func filmRun(
        of code: String, openedOn opening: Day?, until last: Day, calls: Int
    ) async throws -> ArchivedRun {
        var (rows, first): ([FilmDay], Day?) = ([], nil)
        var (fetched, failure): (Int, FailureCode?) = (0, nil)
        while true {
            let question = ArchiveRunRequest(
                code: code, openingDay: opening, first: first, last: last,
                calls: ItemLimit(clamping: mayFetch ? calls - fetched : 0))
            let page: ArchiveRunReply = try await askArchive(
                ArchiveRunRequest.kind, question, what: "archive run \(code)")
            rows += page.rows
            fetched += min(max(0, page.calls), calls - fetched)
            failure = page.failure ?? failure
            // A page that does not go on would be asked for again for ever.
            guard let next = page.next, next > first ?? .firstChart else {
                let run = FilmRun(rows, unknown: page.unknown)
                guard run != nil || rows.isEmpty else { throw Failure.malformedEnvelope("a film's days out of order") }
                return ArchivedRun(
                    run: run, days: page.days, unknown: page.unknown,
                    source: page.source, failure: failure, calls: fetched)
            }
            first = next
        }
    }

    /// What the archive knows of a film's run, without fetching; nil when it does not answer soon.
    public func knownRun(of code: String, until last: Day) async -> ArchivedRun? {
        do {
            return try await limited(to: Self.knownTime).filmRun(of: code, openedOn: nil, until: last, calls: 0)
        } catch {
            return nil
        }
    }

    var mayFetch: Bool { !policy.isOffline && .now + Self.fetchingTime < finder.deadline }

    /// The daily charts of at most a page of days as the archive knows them, without fetching; none when it does not
    /// answer soon.
    public func knownCharts(in days: ClosedRange<Day>) async -> [ArchivedChart] {
        do {
            let reply: ArchiveChartsReply = try await askArchive(
                ArchiveChartsRequest.kind, ArchiveChartsRequest(.daily, days, calls: 0),
                what: "archive daily \(days.lowerBound)..\(days.upperBound)", readingTime: Self.glanceTime)
            return reply.charts.filter { days.contains($0.date) }
        } catch {
            return []
        }
    }

    /// - Parameter readingTime: the longest wait; nil: until the query's deadline.
    func askArchive<Question: Encodable, Reply: Decodable>(
        _ kind: String, _ question: Question, what: String, readingTime: Duration? = nil
    ) async throws -> Reply {
        let request = BusRequest(
            service: ServiceName.archive, kind: kind, trace: finder.trace, payload: try JSONBytes.encode(question))
        let step = finder.log.begin(request, what: what)
        finder.progress?.begin(.archive)
        defer { finder.progress?.end(.archive) }
        do {
            let deadline = readingTime.map { .now + $0 } ?? max(finder.deadline, .now + Self.readingTime)
            let reply = try await finder.bus.request(request, deadline: deadline)
            finder.log.end(step, reply)
            if let failure = reply.envelope.header.failure { throw failure }
            return try JSONBytes.decode(Reply.self, from: reply.envelope.payload)
        } catch let failure as Failure {
            finder.log.end(step, failure)
            throw failure
        } catch let error as DecodingError {
            throw Failure.malformedPayload(error)
        }
    }
}

extension Failure {
    fileprivate static func notKnownThen(_ selection: ChartSelection) -> Failure {
        Failure(
            .notFound,
            LocalizedText(
                ko: "그 시점에 저장된 \(selection) 차트가 없습니다. \(Installation.gateway) history로 저장된 시점을 확인하세요.",
                en: "The chart of \(selection) had not been archived at that time. See \(Installation.gateway) history."
            ),
            isRetryable: false)
    }
}

/// What the archive knows of a film's run.
public struct ArchivedRun: Sendable {
    /// Nil when no known chart has the film.
    public let run: FilmRun?
    /// The days that were looked at; nil when nothing says where a run may be.
    public let days: ClosedRange<Day>?
    /// Those of them whose charts are not known.
    public let unknown: [ClosedRange<Day>]
    /// The least genuine source of the rows; nil without a run.
    public let source: DataSource?
    /// Why a chart could not be fetched; nil when none was missing.
    public let failure: FailureCode?
    /// How many charts were fetched.
    public let calls: Int

    /// No day of the present run lacks its chart.
    public var isKnown: Bool { run?.isWhole == true }

    /// Every day of the present run is known and final.
    public var isComplete: Bool { run.map { $0.isWhole && !$0.present.contains(where: \.isProvisional) } ?? false }

    /// The days whose charts the figures of the present run depend on, before its first row and after its last one as
    /// well; without a run the latest ones.
    public func daysOfFigures(until last: Day) -> ClosedRange<Day> {
        let first = run?.firstDay.advanced(by: -7) ?? last.advanced(by: -30)
        return min(first, last)...min(last, run?.last.day.advanced(by: 30) ?? last)
    }

    public init(
        run: FilmRun?, days: ClosedRange<Day>?, unknown: [ClosedRange<Day>], source: DataSource?,
        failure: FailureCode?, calls: Int
    ) {
        self.run = run
        self.days = days
        self.unknown = unknown
        self.source = source
        self.failure = failure
        self.calls = calls
    }
}
