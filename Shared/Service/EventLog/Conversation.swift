internal import Contracts
public import Envelope
internal import ProcessKit

/// All known events of one query: its calls as a tree.
public struct Conversation: Sendable {
    /// An exchange and its depth: 0 for the calls of the gateway.
    public struct Node: Sendable, Equatable {
        public let exchange: Exchange
        public let depth: Int
    }

    /// 16 hexadecimal digits.
    public let query: String
    /// The start event of the gateway; nil when the event buffer no longer contains it.
    public private(set) var start: Event?
    public private(set) var end: Event?
    /// Parents before their children; the children of a parent in order of their beginning.
    public let nodes: [Node]
    /// Other events of the query, for example a chart revision.
    public let otherEvents: [Event]

    /// - Parameter events: in the order of the stream; events of other queries are ignored.
    public init(query: String, events: [Event]) {
        self.query = query
        var matcher = ExchangeMatcher(expires: false)
        var exchanges: [Exchange] = []
        var otherEvents: [Event] = []
        for event in events.map(\.bounded) where event.query == query {
            switch EventKind(rawValue: event.kind) {
            // A command may have several steps, each with its own start event.
            case .queryStarted: start = start ?? event
            case .queryAnswered: end = event
            default:
                if event.request == nil { otherEvents.append(event) }
            }
            exchanges += matcher.take(event)
        }
        exchanges += matcher.finish()
        self.otherEvents = otherEvents
        nodes = Self.tree(exchanges)
    }

    /// From the beginning to the end, by the clock of the gateway; nil when one of them is unknown.
    public var tookMicroseconds: Int? {
        guard let start, let end else { return nil }
        return Int(max(0, end.at - start.at))
    }

    /// The first and the last moment, in microseconds since 1970; nil when nothing is known.
    public var span: ClosedRange<Int64>? {
        let moments =
            nodes.map(\.exchange.beganAt) + nodes.map { $0.exchange.beganAt + Int64($0.exchange.tookMicroseconds ?? 0) }
            + [start, end].compactMap { $0?.at }
        guard let first = moments.min(), let last = moments.max() else { return nil }
        return first...last
    }

    private static func tree(_ exchanges: [Exchange]) -> [Node] {
        let sorted = exchanges.sorted { ($0.beganAt, $0.request) < ($1.beganAt, $1.request) }
        let calls = Set(sorted.map(\.call))
        var children: [String: [Exchange]] = [:]
        var roots: [Exchange] = []
        for exchange in sorted {
            if let parent = exchange.parent, calls.contains(parent), parent != exchange.call {
                children[parent, default: []].append(exchange)
            } else {
                roots.append(exchange)
            }
        }
        var nodes: [Node] = []
        // Calls that are each other's parents must not cause an endless loop; calls only in such cycles are included,
        // too.
        var placed: Set<String> = []
        var pending = (sorted.reversed() + roots.reversed()).map { Node(exchange: $0, depth: 0) }
        while let node = pending.popLast() {
            guard placed.insert(node.exchange.request).inserted else { continue }
            nodes.append(node)
            pending += (children[node.exchange.call] ?? []).reversed().map { Node(exchange: $0, depth: node.depth + 1) }
        }
        return nodes
    }
}

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
