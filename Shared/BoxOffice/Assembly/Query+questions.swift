public import Contracts
public import Domain
public import Envelope
internal import Localization
internal import ProcessKit

/// Questions about what a range of charts says together. Each throws `Failure`, `unavailable` when the stack has no archive.
///
/// `calls` says how many missing charts and details may be fetched; offline none.
extension Query {
    /// The films that gained most.
    ///
    /// - Parameter nation: only films of this group; nil for all.
    public func topFilms(
        in days: ClosedRange<Day>, by order: FilmGain.Order, nation: NationGroup?, limit: Int, calls: Int
    ) async throws -> ArchiveTopReply {
        try await askArchive(
            ArchiveTopRequest.kind,
            ArchiveTopRequest(range(days, calls), by: order, nation: nation, limit: ItemLimit(clamping: limit)),
            what: "archive top \(days.lowerBound)..\(days.upperBound)")
    }

    /// The admissions of the ten by the films' countries.
    public func shares(
        in days: ClosedRange<Day>, by period: ChartPeriod, calls: Int
    ) async throws -> ArchiveShareReply {
        let what = "archive share \(days.lowerBound)..\(days.upperBound)"
        var pages: [ArchiveShareReply] = []
        repeat {
            let question = ArchiveShareRequest(range(days, calls), by: period, page: pages.last?.next)
            let page: ArchiveShareReply = try await askArchive(ArchiveShareRequest.kind, question, what: what)
            try Self.check(page.next, after: pages.last?.next)
            pages.append(page)
        } while pages.last?.next != nil
        return ArchiveShareReply(
            basis: pages[0].basis, periods: pages.flatMap(\.periods), next: nil,
            withoutNation: pages[0].withoutNation)
    }

    /// The records of the longest span of a range of which every chart is known.
    ///
    /// - Parameter days: nil for all that is archived; then nothing is fetched.
    public func records(in days: ClosedRange<Day>?, calls: Int) async throws -> ArchiveRecordsReply {
        let what = days.map { "archive records \($0.lowerBound)..\($0.upperBound)" } ?? "archive records"
        return try await askArchive(
            ArchiveRecordsRequest.kind, ArchiveRecordsRequest(days.map { range($0, calls) }), what: what)
    }

    /// The films that entered the ten.
    public func newFilms(in days: ClosedRange<Day>, calls: Int) async throws -> ArchiveNewReply {
        let what = "archive new \(days.lowerBound)..\(days.upperBound)"
        var pages: [ArchiveNewReply] = []
        repeat {
            let question = ArchiveNewRequest(range(days, calls), page: pages.last?.next)
            let page: ArchiveNewReply = try await askArchive(ArchiveNewRequest.kind, question, what: what)
            try Self.check(page.next, after: pages.last?.next)
            pages.append(page)
        } while pages.last?.next != nil
        return ArchiveNewReply(basis: pages[0].basis, films: pages.flatMap(\.films), next: nil)
    }

    /// The archived films whose Korean or English titles match.
    public func archivedFilms(titled text: String) async throws -> ArchiveTitlesReply {
        try await askArchive(ArchiveTitlesRequest.kind, ArchiveTitlesRequest(text), what: "archive titles")
    }

    /// The archived films of a director or an actor.
    public func archivedFilms(of name: String) async throws -> ArchivePersonReply {
        try await askArchive(ArchivePersonRequest.kind, ArchivePersonRequest(name), what: "archive person")
    }

    private func range(_ days: ClosedRange<Day>, _ calls: Int) -> ArchiveRange {
        ArchiveRange(days, calls: ItemLimit(clamping: mayFetch ? calls : 0))
    }

    /// A page that does not go on would be asked for again for ever.
    private static func check(_ next: Day?, after last: Day?) throws {
        if let next, let last, next <= last { throw Failure.malformedEnvelope("a page that does not go on") }
    }
}

extension Query {
    /// A day's chart, and that of the same weekday a week before.
    public struct BriefParts: Sendable {
        public let brief: ChartBrief
        public let state: ChartState
        public let source: DataSource
    }

    /// A day in three sentences.
    ///
    /// - Throws: `Failure`; also when the day has no chart.
    public func brief(of day: Day) async throws -> BriefParts {
        async let before = chart(.daily(day.advanced(by: -7)))
        let outcome = try await chart(.daily(day))
        guard let value = outcome.value else {
            throw outcome.failure ?? Failure.malformedEnvelope("a chart without a value")
        }
        let weekBefore = try await before
        func entries(_ value: [UInt8]) throws -> [ChartEntry] { try JSONBytes.decode(Chart.self, from: value).entries }
        guard
            let brief = ChartBrief(
                day: day, entries: try entries(value), weekBefore: try weekBefore.value.map(entries))
        else { throw Failure.noFilms(on: day) }
        let isProvisional = FreshnessPolicy().wasProvisional(
            .daily(day), age: outcome.cache?.age, now: finder.clock.now())
        let source = [outcome.source, weekBefore.source].compactMap(\.self).min() ?? .upstream
        return BriefParts(brief: brief, state: isProvisional ? .provisional : .settled, source: source)
    }
}

extension Failure {
    fileprivate static func noFilms(on day: Day) -> Failure {
        Failure(
            .empty, LocalizedText(ko: "\(day) 차트에 영화가 없습니다.", en: "The chart of \(day) has no films."),
            isRetryable: false)
    }
}
