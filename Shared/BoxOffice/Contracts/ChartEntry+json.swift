package import Domain
package import FlatJSON

extension ChartEntry {
    /// Writes an object as an encoder does.
    func write(_ key: StaticString? = nil, to json: inout JSONWriter, on day: Day?) {
        json.beginObject(key)
        writeFields(to: &json, on: day)
        json.endObject()
    }

    /// Writes the fields in sorted order.
    ///
    /// - Parameter day: the first day of its chart, for the field that depends on it; nil leaves that out.
    package func writeFields(to json: inout JSONWriter, on day: Day?) {
        json.field("audience", Int64(audience))
        json.field("audienceChange", Int64(audienceChange))
        json.field("audienceChangePercent", decimal: audienceChangePercent)
        json.field("audienceTotal", Int64(audienceTotal))
        json.field("code", code)
        json.optionalField("openingDay", openingDay?.iso)
        json.field("presence", presence.rawValue)
        json.field("rank", Int64(rank))
        json.field("rankChange", Int64(rankChange))
        if let day { json.field("reentry", flag: isReentry(on: day)) }
        json.field("rowNumber", Int64(rowNumber))
        json.field("salesAmount", salesAmount)
        json.field("salesChange", salesChange)
        json.field("salesChangePercent", decimal: salesChangePercent)
        json.field("salesShare", decimal: salesShare)
        json.field("salesTotal", salesTotal)
        json.field("screens", Int64(screens))
        json.field("showings", Int64(showings))
        json.field("title", title)
    }

    /// Reads the fields in the order in which they are written.
    init?(_ json: inout JSONReader) {
        guard json.take(all: #"{"audience":"#), let audience = json.integer(),
            json.take(all: #","audienceChange":"#), let audienceChange = json.integer(),
            json.take(all: #","audienceChangePercent":"#), let audienceChangePercent = json.decimal(),
            json.take(all: #","audienceTotal":"#), let audienceTotal = json.integer(),
            json.take(all: #","code":"#), let code = json.text(),
            json.take(all: #","openingDay":"#), let openingDay = json.optional({ $0.day() }),
            json.take(all: #","presence":"#), let presence = json.text(),
            json.take(all: #","rank":"#), let rank = json.integer(),
            json.take(all: #","rankChange":"#), let rankChange = json.integer()
        else { return nil }
        if json.take(all: #","reentry":"#) { guard json.flag() != nil else { return nil } }
        guard json.take(all: #","rowNumber":"#), let rowNumber = json.integer(),
            json.take(all: #","salesAmount":"#), let salesAmount = json.number(),
            json.take(all: #","salesChange":"#), let salesChange = json.number(),
            json.take(all: #","salesChangePercent":"#), let salesChangePercent = json.decimal(),
            json.take(all: #","salesShare":"#), let salesShare = json.decimal(),
            json.take(all: #","salesTotal":"#), let salesTotal = json.number(),
            json.take(all: #","screens":"#), let screens = json.integer(),
            json.take(all: #","showings":"#), let showings = json.integer(),
            json.take(all: #","title":"#), let title = json.text(), json.take("}")
        else { return nil }
        self.init(
            rowNumber: rowNumber, rank: rank, rankChange: rankChange, presence: ChartPresence(rawValue: presence),
            code: code, title: title, openingDay: openingDay, salesAmount: salesAmount, salesShare: salesShare,
            salesChange: salesChange, salesChangePercent: salesChangePercent, salesTotal: salesTotal,
            audience: audience, audienceChange: audienceChange, audienceChangePercent: audienceChangePercent,
            audienceTotal: audienceTotal, screens: screens, showings: showings)
    }
}

extension JSONReader {
    mutating func integer() -> Int? { number().flatMap { Int(exactly: $0) } }

    mutating func day() -> Day? { textBytes().flatMap { $0.withUnsafeBufferPointer { Day(iso: $0) } } }

    /// A value or null; the outer optional is nil when it is neither.
    mutating func optional<Value>(_ read: (inout JSONReader) -> Value?) -> Value?? {
        if take(all: "null") { return .some(nil) }
        return read(&self).map { .some($0) }
    }

    /// A field that is left out when it has no value; nil when the value cannot be read.
    mutating func optionalField<Value>(_ key: StaticString, _ read: (inout JSONReader) -> Value?) -> Value?? {
        guard take(all: key) else { return .some(nil) }
        return read(&self).map { .some($0) }
    }
}
