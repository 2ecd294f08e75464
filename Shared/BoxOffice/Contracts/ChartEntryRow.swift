internal import Domain
internal import FlatJSON

/// An entry in a page of the archive: its eighteen fields as a list, because names would be two thirds of the page.
struct ChartEntryRow: Codable {
    let entry: ChartEntry

    init(_ entry: ChartEntry) { self.entry = entry }

    init(from decoder: any Decoder) throws {
        var row = try decoder.unkeyedContainer()
        entry = ChartEntry(
            rowNumber: try row.decode(Int.self), rank: try row.decode(Int.self), rankChange: try row.decode(Int.self),
            presence: ChartPresence(rawValue: try row.decode(String.self)), code: try row.decode(String.self),
            title: try row.decode(String.self), openingDay: try row.decodeIfPresent(Day.self),
            salesAmount: try row.decode(Int64.self), salesShare: try row.decode(Double.self),
            salesChange: try row.decode(Int64.self), salesChangePercent: try row.decode(Double.self),
            salesTotal: try row.decode(Int64.self), audience: try row.decode(Int.self),
            audienceChange: try row.decode(Int.self), audienceChangePercent: try row.decode(Double.self),
            audienceTotal: try row.decode(Int.self), screens: try row.decode(Int.self),
            showings: try row.decode(Int.self))
    }

    func encode(to encoder: any Encoder) throws {
        var row = encoder.unkeyedContainer()
        for number in [entry.rowNumber, entry.rank, entry.rankChange] { try row.encode(number) }
        for text in [entry.presence.rawValue, entry.code, entry.title] { try row.encode(text) }
        if let day = entry.openingDay { try row.encode(day) } else { try row.encodeNil() }
        try row.encode(entry.salesAmount)
        try row.encode(entry.salesShare)
        try row.encode(entry.salesChange)
        try row.encode(entry.salesChangePercent)
        try row.encode(entry.salesTotal)
        try row.encode(entry.audience)
        try row.encode(entry.audienceChange)
        try row.encode(entry.audienceChangePercent)
        for number in [entry.audienceTotal, entry.screens, entry.showings] { try row.encode(number) }
    }

    func write(to json: inout JSONWriter) {
        json.beginArray()
        json.element(Int64(entry.rowNumber))
        json.element(Int64(entry.rank))
        json.element(Int64(entry.rankChange))
        json.element(entry.presence.rawValue)
        json.element(entry.code)
        json.element(entry.title)
        if let day = entry.openingDay { json.element(day.iso) } else { json.missingElement() }
        json.element(entry.salesAmount)
        json.element(decimal: entry.salesShare)
        json.element(entry.salesChange)
        json.element(decimal: entry.salesChangePercent)
        json.element(entry.salesTotal)
        json.element(Int64(entry.audience))
        json.element(Int64(entry.audienceChange))
        json.element(decimal: entry.audienceChangePercent)
        json.element(Int64(entry.audienceTotal))
        json.element(Int64(entry.screens))
        json.element(Int64(entry.showings))
        json.endArray()
    }

    init?(_ json: inout JSONReader) {
        guard json.take("["), let rowNumber = json.integer(), json.take(","), let rank = json.integer(),
            json.take(","), let rankChange = json.integer(), json.take(","), let presence = json.text(),
            json.take(","), let code = json.text(), json.take(","), let title = json.text(),
            json.take(","), let openingDay = json.optional({ $0.day() }),
            json.take(","), let salesAmount = json.number(), json.take(","), let salesShare = json.decimal(),
            json.take(","), let salesChange = json.number(), json.take(","), let salesChangePercent = json.decimal(),
            json.take(","), let salesTotal = json.number(), json.take(","), let audience = json.integer(),
            json.take(","), let audienceChange = json.integer(),
            json.take(","), let audienceChangePercent = json.decimal(),
            json.take(","), let audienceTotal = json.integer(), json.take(","), let screens = json.integer(),
            json.take(","), let showings = json.integer(), json.take("]")
        else { return nil }
        entry = ChartEntry(
            rowNumber: rowNumber, rank: rank, rankChange: rankChange, presence: ChartPresence(rawValue: presence),
            code: code, title: title, openingDay: openingDay, salesAmount: salesAmount, salesShare: salesShare,
            salesChange: salesChange, salesChangePercent: salesChangePercent, salesTotal: salesTotal,
            audience: audience, audienceChange: audienceChange, audienceChangePercent: audienceChangePercent,
            audienceTotal: audienceTotal, screens: screens, showings: showings)
    }
}
