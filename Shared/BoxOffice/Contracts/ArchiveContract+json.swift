internal import Domain
public import Envelope
internal import FlatJSON

// A page has hundreds of rows: an encoder and a decoder take 30 µs for each, this code 2.

extension ArchivedChart {
    /// The chart as programs read it, with the names of all fields.
    public func json() -> [UInt8] {
        var json = JSONWriter(capacity: 256 + entries.count * 512)
        write(to: &json) { json in
            json.beginArray("entries")
            for entry in entries { entry.write(to: &json, on: date) }
            json.endArray()
        }
        return json.bytes
    }

    fileprivate func write(to json: inout JSONWriter, entries write: (inout JSONWriter) -> Void) {
        json.beginObject()
        json.field("date", date.iso)
        write(&json)
        json.optionalField("failure", failure?.rawValue)
        json.optionalField("firstSeen", firstSeen)
        json.optionalField("lastSeen", lastSeen)
        json.optionalField("source", source?.rawValue)
        json.field("state", state.rawValue)
        json.endObject()
    }

    /// With its entries as rows.
    fileprivate init?(_ json: inout JSONReader) {
        guard json.take(all: #"{"date":"#), let date = json.day(),
            json.take(all: #","entries":"#),
            let entries = json.list(roomFor: 10, { ChartEntryRow(&$0)?.entry }),
            json.take(all: #","failure":"#), let failure = json.optional({ $0.text() }),
            json.take(all: #","firstSeen":"#), let firstSeen = json.optional({ $0.number() }),
            json.take(all: #","lastSeen":"#), let lastSeen = json.optional({ $0.number() }),
            json.take(all: #","source":"#), let source = json.optional({ $0.text() }),
            json.take(all: #","state":"#), let state = json.text().flatMap(ChartState.init(rawValue:)), json.take("}")
        else { return nil }
        self.init(
            date: date, state: state, source: source.map(DataSource.init(rawValue:)), firstSeen: firstSeen,
            lastSeen: lastSeen, failure: failure.map(FailureCode.init(rawValue:)), entries: entries)
    }
}

extension ArchiveChartsReply: PlainJSON {
    public func json() -> [UInt8] {
        var json = JSONWriter(capacity: 256 + charts.count * 2048)
        json.beginObject()
        json.field("calls", Int64(calls))
        json.beginArray("charts")
        for chart in charts {
            chart.write(to: &json) { json in
                json.beginArray("entries")
                for entry in chart.entries { ChartEntryRow(entry).write(to: &json) }
                json.endArray()
            }
        }
        json.endArray()
        json.endObject()
        return json.bytes
    }

    public init?(plainJSON bytes: [UInt8]) {
        var json = JSONReader(bytes)
        guard json.take(all: #"{"calls":"#), let calls = json.integer(),
            json.take(all: #","charts":"#),
            let charts = json.list(roomFor: ArchiveChartsRequest.maxCharts, { ArchivedChart(&$0) }),
            json.take("}"), json.isAtEnd
        else { return nil }
        self.init(charts: charts, calls: calls)
    }
}

extension ArchiveRunReply: PlainJSON {
    public func json() -> [UInt8] {
        var json = JSONWriter(capacity: 256 + rows.count * 512)
        json.beginObject()
        json.field("calls", Int64(calls))
        if let days { json.write("days", days) }
        if let failure { json.field("failure", failure.rawValue) }
        if let next { json.field("next", next.iso) }
        json.beginArray("rows")
        for row in rows {
            json.beginObject()
            json.field("day", row.day.iso)
            row.entry.write("entry", to: &json, on: nil)
            json.field("isProvisional", flag: row.isProvisional)
            json.endObject()
        }
        json.endArray()
        if let source { json.field("source", source.rawValue) }
        json.beginArray("unknown")
        for days in unknown { json.write(nil, days) }
        json.endArray()
        json.endObject()
        return json.bytes
    }

    public init?(plainJSON bytes: [UInt8]) {
        var json = JSONReader(bytes)
        guard json.take(all: #"{"calls":"#), let calls = json.integer(),
            let days = json.optionalField(#","days":"#, { $0.days() }),
            let failure = json.optionalField(#","failure":"#, { $0.text() }),
            let next = json.optionalField(#","next":"#, { $0.day() }),
            json.take(all: #","rows":"#), let rows = json.list(roomFor: 64, { FilmDay(&$0) }),
            let source = json.optionalField(#","source":"#, { $0.text() }),
            json.take(all: #","unknown":"#), let unknown = json.list({ $0.days() }), json.take("}"), json.isAtEnd
        else { return nil }
        self.init(
            rows: rows, days: days, unknown: unknown, next: next, source: source.map(DataSource.init(rawValue:)),
            failure: failure.map(FailureCode.init(rawValue:)), calls: calls)
    }
}

extension FilmDay {
    fileprivate init?(_ json: inout JSONReader) {
        guard json.take(all: #"{"day":"#), let day = json.day(),
            json.take(all: #","entry":"#), let entry = ChartEntry(&json),
            json.take(all: #","isProvisional":"#), let isProvisional = json.flag(), json.take("}")
        else { return nil }
        self.init(day: day, isProvisional: isProvisional, entry: entry)
    }
}

extension JSONWriter {
    fileprivate mutating func write(_ key: StaticString?, _ days: ClosedRange<Day>) {
        beginArray(key)
        element(days.lowerBound.iso)
        element(days.upperBound.iso)
        endArray()
    }
}

extension JSONReader {
    /// Two days as an encoder writes a range.
    fileprivate mutating func days() -> ClosedRange<Day>? {
        guard take("["), let first = day(), take(","), let last = day(), take("]"), first <= last else { return nil }
        return first...last
    }
}
