public import Contracts
public import Domain
public import Envelope
public import FlatJSON
internal import Localization

/// The answer as JSON: the stored bytes of the parts are inserted without decoding or encoding.
///
/// A part is { cache, failure, source, status, value }; missing members are null. `source` is where its value came from;
/// that of an answer is the least genuine of its parts.
public enum AnswerJSON {
    /// { targetDate, complete, source, chart, films: [ { code, and each `FilmPart` } ] }.
    public static func show(_ assembly: ShowAssembly) throws -> [UInt8] {
        let size = assembly.films.reduce(1024 + (assembly.chart.value?.count ?? 0)) {
            $0 + $1.parts.reduce(512) { $0 + ($1.value?.count ?? 0) }
        }
        var json = JSONWriter(capacity: size)
        json.beginObject()
        json.field("targetDate", assembly.date.iso)
        json.field("complete", flag: assembly.isComplete)
        json.optionalField("source", assembly.source?.rawValue)
        try json.part("chart", assembly.chart)
        json.beginArray("films")
        for film in assembly.films {
            json.beginObject()
            json.field("code", film.code)
            for part in FilmPart.allCases { try json.part(part.name, film[part]) }
            json.endObject()
        }
        json.endArray()
        json.endObject()
        return json.bytes
    }

    /// One part with its request: { <name>: <asked>, complete, source, <kind>: part }.
    ///
    /// - Parameter source: of the whole answer; nil for the part's.
    public static func single(
        _ outcome: PartOutcome, kind: StaticString, asked: (name: StaticString, value: String),
        source: DataSource? = nil
    ) throws -> [UInt8] {
        var json = JSONWriter(capacity: 512 + (outcome.value?.count ?? 0))
        json.beginObject()
        json.field(asked.name, asked.value)
        json.field("complete", flag: outcome.status == .ok)
        json.optionalField("source", (source ?? outcome.source)?.rawValue)
        try json.part(kind, outcome)
        json.endObject()
        return json.bytes
    }

    /// A film's detail and the figures of its run: { code, complete, source, movie: part, run }.
    public static func movie(_ outcome: PartOutcome, code: String, run: ArchivedRun?) throws -> [UInt8] {
        let source = [outcome.source, run?.source].compactMap(\.self).min()
        var json = JSONWriter(capacity: 1024 + (outcome.value?.count ?? 0))
        json.beginObject()
        json.field("code", code)
        json.field("complete", flag: outcome.status == .ok)
        json.optionalField("source", source?.rawValue)
        try json.part("movie", outcome)
        if let run = run?.run { json.field("run", json: try JSONBytes.encode(run)) } else { json.field(missing: "run") }
        json.endObject()
        return json.bytes
    }

    /// A film's run day by day: { code, title, openingDay, complete, source, run, days, provenDays, bands, unknownDays:
    /// [ { first, last } ], calls }.
    public static func run(_ archived: ArchivedRun, _ run: FilmRun, code: String) throws -> [UInt8] {
        var json = JSONWriter(capacity: 1024 + run.rows.count * 512)
        json.beginObject()
        json.field("code", code)
        json.field("title", run.title)
        json.optionalField("openingDay", run.openingDay?.iso)
        json.field("complete", flag: archived.isComplete)
        json.optionalField("source", archived.source?.rawValue)
        json.field("run", json: try JSONBytes.encode(run))
        json.beginArray("days")
        for day in run.days { json.day(day) }
        json.endArray()
        json.field("provenDays", json: try JSONBytes.encode(run.provenDays))
        json.field("bands", json: try JSONBytes.encode(run.bands))
        json.beginArray("unknownDays")
        for days in archived.unknown {
            json.element(json: Array(#"{"first":"\#(days.lowerBound)","last":"\#(days.upperBound)"}"#.utf8))
        }
        json.endArray()
        json.field("calls", Int64(archived.calls))
        json.endObject()
        return json.bytes
    }

    /// The editions of a chart, the oldest first: { targetDate, kind, state, complete, source, editions: [ { firstSeen,
    /// lastSeen, entries } ] }.
    public static func history(_ history: ArchiveEditionsReply, _ selection: ChartSelection) throws -> [UInt8] {
        let day = selection.days.lowerBound
        var json = JSONWriter(capacity: 1024 + history.editions.count * 5000)
        json.beginObject()
        json.field("targetDate", day.iso)
        json.field("kind", selection.kind.rawValue)
        json.field("state", history.state.rawValue)
        json.field("complete", flag: history.state.isFinal)
        json.optionalField("source", history.source?.rawValue)
        json.beginArray("editions")
        for edition in history.editions {
            json.element(
                json: try JSONBytes.encode(
                    DatedEdition(
                        firstSeen: edition.firstSeen, lastSeen: edition.lastSeen,
                        entries: edition.entries.map { DatedEntry(entry: $0, date: day) })))
        }
        json.endArray()
        json.endObject()
        return json.bytes
    }

    private struct DatedEdition: Encodable {
        let firstSeen: Int64
        let lastSeen: Int64
        let entries: [DatedEntry]
    }

    /// { title, director, opened, produced, adult, page, limit, complete, source, search: part, archived }; null for unused
    /// filters, years as [2019, 2020].
    ///
    /// - Parameter archived: the films of the archive; nil when it was not asked.
    public static func search(
        _ outcome: PartOutcome, asked: FilmSearch, archived: [FilmSummary]?
    ) throws -> [UInt8] {
        func years(_ years: ClosedRange<Year>?) throws -> [UInt8] { try JSONBytes.encode(years) }
        var json = JSONWriter(capacity: 512 + (outcome.value?.count ?? 0))
        json.beginObject()
        json.optionalField("title", asked.title)
        json.optionalField("director", asked.director)
        json.field("opened", json: try years(asked.openingYears))
        json.field("produced", json: try years(asked.productionYears))
        json.field("adult", flag: asked.includesAdultFilms)
        json.field("page", Int64(asked.page.value))
        json.field("limit", Int64(asked.pageSize.value))
        json.field("complete", flag: outcome.status == .ok)
        json.optionalField("source", outcome.source?.rawValue)
        try json.part("search", outcome)
        json.field("archived", json: try JSONBytes.encode(archived))
        json.endObject()
        return json.bytes
    }

    /// Films that match: { <name>: <asked>, complete, source, total, candidates: [ { code, title, openingDay, openingText } ] }.
    public static func candidates(
        _ candidates: FilmCandidates, asked: (name: StaticString, value: String)
    ) throws -> [UInt8] {
        var json = JSONWriter()
        json.beginObject()
        json.field(asked.name, asked.value)
        json.field("complete", flag: false)
        json.optionalField("source", candidates.source?.rawValue)
        json.field("total", Int64(candidates.total))
        json.field("candidates", json: try JSONBytes.encode(candidates.films))
        json.endObject()
        return json.bytes
    }
}

extension JSONWriter {
    /// { cache, failure, source, status, value }, or null.
    public mutating func part(_ key: StaticString, _ outcome: PartOutcome?) throws {
        guard let outcome else { return field(missing: key) }
        beginObject(key)
        if let cache = outcome.cache { self.cache(cache) } else { field(missing: "cache") }
        if let failure = outcome.failure { self.failure(failure) } else { field(missing: "failure") }
        optionalField("source", outcome.source?.rawValue)
        field("status", outcome.status.rawValue)
        if let value = outcome.value { field("value", json: value) } else { field(missing: "value") }
        endObject()
    }

    /// A row of a chart and what follows from the days before it.
    fileprivate mutating func day(_ day: FilmRun.DayFigures) {
        beginObject()
        field("date", day.row.day.iso)
        field("state", day.row.state.rawValue)
        optionalField("dayOfRelease", day.dayOfRelease)
        day.row.entry.writeFields(to: &self, on: day.row.day)
        optionalField("audienceWeekBefore", day.audienceWeekBefore)
        field("correction", Int64(day.correction))
        optionalField("audiencePerScreen", day.row.audiencePerScreen)
        optionalField("averagePrice", day.row.averagePrice)
        endObject()
    }

    /// In the terms of RFC 9211; members that do not apply are null.
    private mutating func cache(_ status: CacheStatus) {
        beginObject("cache")
        optionalField("age", status.age)
        optionalField("collapsed", status.collapsed)
        optionalField("detail", status.detail)
        optionalField("fwd", status.fwd?.rawValue)
        field("hit", flag: status.hit)
        optionalField("stored", status.stored)
        optionalField("ttl", status.ttl)
        endObject()
    }

    private mutating func failure(_ failure: Failure) {
        beginObject("failure")
        field("code", failure.code.rawValue)
        optionalField("faultCode", failure.faultCode)
        optionalField("httpStatus", failure.httpStatus)
        field("isRetryable", flag: failure.isRetryable)
        beginObject("message")
        field("en", failure.message.en)
        field("ko", failure.message.ko)
        endObject()
        endObject()
    }
}
