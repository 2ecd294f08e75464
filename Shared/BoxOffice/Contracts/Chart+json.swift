public import Domain
public import Envelope
internal import FlatJSON

extension Chart: PlainJSON {
    public func json() -> [UInt8] {
        let day = selection.days.lowerBound
        var json = JSONWriter(capacity: 256 + entries.count * 512)
        json.beginObject()
        json.field("date", day.iso)
        json.beginArray("entries")
        for entry in entries { entry.write(to: &json, on: day) }
        json.endArray()
        if selection.filter == .everything {
            json.field(missing: "filter")
        } else {
            json.beginObject("filter")
            json.optionalField("diversity", selection.filter.diversity?.rawValue)
            json.optionalField("nation", selection.filter.nation?.rawValue)
            json.optionalField("region", selection.filter.region?.rawValue)
            json.endObject()
        }
        json.field("kind", selection.kind.rawValue)
        json.optionalField("through", selection.days.count > 1 ? selection.days.upperBound.iso : nil)
        json.endObject()
        return json.bytes
    }

    /// Reads charts of the whole country; others are few.
    public init?(plainJSON bytes: [UInt8]) {
        var json = JSONReader(bytes)
        guard json.take(all: #"{"date":"#), let date = json.day(),
            json.take(all: #","entries":"#), let entries = json.list(roomFor: 10, { ChartEntry(&$0) }),
            json.take(all: #","filter":null,"kind":"#), let kind = json.text().flatMap(ChartKind.init(rawValue:)),
            json.take(all: #","through":"#), json.optional({ $0.day() }) != nil, json.take("}"), json.isAtEnd
        else { return nil }
        self.init(ChartSelection(kind, around: date), entries: entries)
    }
}
