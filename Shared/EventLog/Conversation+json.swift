internal import Envelope
internal import ProcessKit

/// A conversation as one JSON object; exchanges refer to their parents and follow them.
extension Conversation: Encodable {
    private enum CodingKeys: String, CodingKey {
        case query, command, from, startedAt, tookMicroseconds, exchanges
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(query, forKey: .query)
        try container.encode(start?.attributes["command"]?.description, forKey: .command)
        try container.encode(start?.source, forKey: .from)
        try container.encode(start.map { RFC3339.text(microseconds: $0.at) }, forKey: .startedAt)
        try container.encode(tookMicroseconds, forKey: .tookMicroseconds)
        try container.encode(nodes.map(\.exchange), forKey: .exchanges)
    }
}
