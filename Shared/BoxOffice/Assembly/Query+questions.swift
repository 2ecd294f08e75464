public import Contracts
public import Domain
public import Envelope
internal import FlatJSON
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
            try Self.check(page.next, after: pages.last?.next, in: days)
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
            try Self.check(page.next, after: pages.last?.next, in: days)
            pages.append(page)
        } while pages.last?.next != nil
        return ArchiveNewReply(basis: pages[0].basis, films: pages.flatMap(\.films), next: nil)
    }

    /// Who led each day and each week; at most 400 days.
    public func leaders(in days: ClosedRange<Day>, calls: Int) async throws -> ArchiveLeadersReply {
        try await askArchive(
            ArchiveLeadersRequest.kind, ArchiveLeadersRequest(range(days, calls)),
            what: "archive leaders \(days.lowerBound)..\(days.upperBound)")
    }

    /// The archived films whose Korean or English titles match.
    public func archivedFilms(titled text: String) async throws -> ArchiveTitlesReply {
        try await askArchive(ArchiveTitlesRequest.kind, ArchiveTitlesRequest(text), what: "archive titles")
    }

    /// The archived films with the title of a search that has found none in the catalogue, which knows Korean titles only;
    /// nil for any other search, and when the archive does not answer.
    public func archivedFilms(besides outcome: PartOutcome, of search: FilmSearch) async throws -> ArchiveTitlesReply? {
        guard let title = search.title, search.director == nil else { return nil }
        let page = try outcome.value.map { try JSONBytes.decode(FilmPage.self, from: $0) }
        guard page?.total ?? 0 == 0 else { return nil }
        do {
            return try await archivedFilms(titled: title)
        } catch let failure as Failure where failure.code != .brokerLost {
            return nil
        }
    }

    /// The archived films whose titles match; nil when the archive does not answer soon.
    public func knownFilms(titled text: String) async -> ArchiveTitlesReply? {
        do {
            return try await askArchive(
                ArchiveTitlesRequest.kind, ArchiveTitlesRequest(text), what: "archive titles",
                readingTime: Self.glanceTime)
        } catch {
            return nil
        }
    }

    /// The archived films of a director or an actor.
    public func archivedFilms(of name: String) async throws -> ArchivePersonReply {
        try await askArchive(ArchivePersonRequest.kind, ArchivePersonRequest(name), what: "archive person")
    }

    private func range(_ days: ClosedRange<Day>, _ calls: Int) -> ArchiveRange {
        ArchiveRange(days, calls: ItemLimit(clamping: mayFetch ? calls : 0))
    }

    /// A page that does not go on would be asked for again for ever.
    private static func check(_ next: Day?, after last: Day?, in days: ClosedRange<Day>) throws {
        guard let next else { return }
        if !days.contains(next) || last.map({ next <= $0 }) ?? false {
            throw Failure.malformedEnvelope("a page that does not go on")
        }
    }
}

extension Query {
    /// A day's chart, and that of the same weekday a week before.
    public struct BriefParts: Sendable {
        public let brief: ChartBrief
        public let state: ChartState
        public let source: DataSource
        /// The day's chart, which may be stale, and that of a week before.
        public let chart: PartOutcome
        public let weekBefore: PartOutcome

        /// Both charts are there and fresh, and the day's is final.
        public var isComplete: Bool { state == .settled && chart.status == .ok && weekBefore.status == .ok }
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
        return BriefParts(
            brief: brief, state: isProvisional ? .provisional : .settled, source: source, chart: outcome,
            weekBefore: weekBefore)
    }
}

extension ArchiveTitlesReply {
    /// The films as those of the catalogue.
    public var summaries: [FilmSummary] {
        films.map {
            FilmSummary(code: $0.code, title: $0.title, titleEnglish: $0.titleEnglish, openingDay: $0.openingDay)
        }
    }
}

extension AnswerJSON {
    /// A day's brief: { date, state, code, title, audience, lead, new, returned, passed, topAudience,
    /// topAudienceWeekBefore, topChangePercent, source }.
    public static func brief(_ parts: Query.BriefParts) -> [UInt8] {
        let brief = parts.brief
        var json = JSONWriter(capacity: 1024)
        json.beginObject()
        json.field("date", brief.day.iso)
        json.field("state", parts.state.rawValue)
        json.field("code", brief.leader.code)
        json.field("title", brief.leader.title)
        json.field("audience", Int64(brief.leader.audience))
        json.optionalField("lead", brief.lead)
        let lists: [(StaticString, [String])] = [
            ("new", brief.new.map(\.title)), ("returned", brief.returned.map(\.title)),
            ("passed", brief.passed.map { "\($0.entry.title): \($0.milestone)" }),
        ]
        for (name, items) in lists {
            json.beginArray(name)
            for item in items { json.element(item) }
            json.endArray()
        }
        json.field("topAudience", Int64(brief.audience))
        json.optionalField("topAudienceWeekBefore", brief.audienceWeekBefore)
        json.optionalField("topChangePercent", brief.changePercent)
        json.field("source", parts.source.rawValue)
        json.endObject()
        return json.bytes
    }
}

extension Failure {
    fileprivate static func noFilms(on day: Day) -> Failure {
        Failure(
            .empty, LocalizedText(ko: "\(day) 차트에 영화가 없습니다.", en: "The chart of \(day) has no films."),
            isRetryable: false)
    }
}
