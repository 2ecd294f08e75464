import BoxOffice
import Envelope

/// The answer as JSON: the parts' stored bytes are spliced in, nothing is decoded or encoded again.
enum AnswerJSON {
    private struct PartHead: Encodable {
        let status: PartOutcome.Status
        let cache: CacheFacts?
        let failure: Failure?
    }

    /// { targetDate, complete, chart, films: [ { code, detail, poster } ] }, each part { status, cache, failure, value }.
    static func show(_ assembly: ShowAssembly, date: Day) throws -> [UInt8] {
        let films = try assembly.films.map { film in
            try object([
                ("code", JSONBytes.encode(film.code)), ("detail", part(film.detail)), ("poster", part(film.poster)),
            ])
        }
        return try object([
            ("targetDate", JSONBytes.encode(date.iso)), ("complete", JSONBytes.encode(assembly.isComplete)),
            ("chart", part(assembly.chart)),
            ("films", Array("[".utf8) + films.joined(separator: Array(",".utf8)) + Array("]".utf8)),
        ])
    }

    /// One part alone, with what was asked: { <name>: <asked>, complete, <kind>: part }.
    static func single(_ outcome: PartOutcome, kind: String, asked: (name: String, value: String)) throws -> [UInt8] {
        try object([
            (asked.name, JSONBytes.encode(asked.value)), ("complete", JSONBytes.encode(outcome.status == .ok)),
            (kind, part(outcome)),
        ])
    }

    /// { <name>: <asked>, complete, poster, image, file }, each part as in `show`; null for what there is not.
    static func saved(
        _ image: PartOutcome?, of poster: PartOutcome, asked: (name: String, value: String), path: String?
    ) throws -> [UInt8] {
        try object([
            (asked.name, JSONBytes.encode(asked.value)),
            ("complete", JSONBytes.encode([image, poster].allSatisfy { $0?.status == .ok })), ("poster", part(poster)),
            ("image", part(image)), ("file", path.map { try JSONBytes.encode($0) } ?? Array("null".utf8)),
        ])
    }

    private static func part(_ outcome: PartOutcome?) throws -> [UInt8] {
        guard let outcome else { return Array("null".utf8) }
        let head = try JSONBytes.encode(
            PartHead(status: outcome.status, cache: outcome.cache, failure: outcome.failure))
        guard let value = outcome.value else { return head }
        return head.dropLast() + Array(#","value":"#.utf8) + value + Array("}".utf8)
    }

    private static func object(_ members: [(String, [UInt8])]) throws -> [UInt8] {
        let pairs = try members.map { try JSONBytes.encode($0.0) + Array(":".utf8) + $0.1 }
        return Array("{".utf8) + pairs.joined(separator: Array(",".utf8)) + Array("}".utf8)
    }
}
