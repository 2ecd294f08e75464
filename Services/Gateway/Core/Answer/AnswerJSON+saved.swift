import Assembly
import Envelope
import FlatJSON
import Records

extension AnswerJSON {
    /// Selected fields of films: { <name>: <asked>, complete, source, films: [ { <field>: … } ] }.
    static func films(
        _ rows: [FilmRecord], _ fields: [FilmRecord.Field], asked: (name: StaticString, value: String), isComplete: Bool
    ) -> [UInt8] {
        var json = JSONWriter(capacity: 4096)
        json.beginObject()
        json.field(asked.name, asked.value)
        json.field("complete", flag: isComplete)
        json.optionalField("source", rows.compactMap(\.source).min()?.rawValue)
        json.beginArray("films")
        for row in rows { json.element(json: RecordFormat.object(row, fields)) }
        json.endArray()
        json.endObject()
        return json.bytes
    }

    /// { <name>: <asked>, complete, source, poster, image, file }.
    static func savedImage(
        _ image: PartOutcome?, of poster: PartOutcome, asked: (name: StaticString, value: String), path: String?
    ) throws -> [UInt8] {
        var json = JSONWriter(capacity: 4096)
        json.beginObject()
        json.field(asked.name, asked.value)
        json.field("complete", flag: [image, poster].allSatisfy { $0?.status == .ok })
        json.optionalField("source", [image?.source, poster.source].compactMap(\.self).min()?.rawValue)
        try json.part("poster", poster)
        try json.part("image", image)
        json.optionalField("file", path)
        json.endObject()
        return json.bytes
    }
}
