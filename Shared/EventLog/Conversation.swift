internal import Contracts
public import Envelope

/// All that is known of one query: who asked whom because of what, as a tree.
public struct Conversation: Sendable {
    /// An exchange and how deep it lies: 0 for the gateway's own.
    public struct Node: Sendable, Equatable {
        public let exchange: Exchange
        public let depth: Int
    }

    /// 16 hexadecimal digits.
    public let query: String
    /// The gateway's event of its beginning, which a ring may have lost.
    public private(set) var start: Event?
    public private(set) var end: Event?
    /// Parents before their children, those of one parent by their beginning.
    public let nodes: [Node]
    /// What else happened because of it, as a chart's revision.
    public let attributes: [Event]

    /// - Parameter events: those of the query among any others, in the order of the stream.
    public init(query: String, events: [Event]) {
        self.query = query
        var matcher = ExchangeMatcher(givesUp: false)
        var exchanges: [Exchange] = []
        var attributes: [Event] = []
        for event in events.map(\.bounded) where event.query == query {
            switch event.kind {
            // A question may have several steps, each of which says so.
            case EventKind.queryStarted: start = start ?? event
            case EventKind.queryAnswered: end = event
            default:
                if event.request == nil { attributes.append(event) }
            }
            exchanges += matcher.take(event)
        }
        exchanges += matcher.finish()
        self.attributes = attributes
        nodes = Self.tree(exchanges)
    }

    /// From its beginning to its end, by its asker's clock; nil when one of them is not known.
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
        // Calls that name each other as parents must not go round in circles; what only circles lead to is shown, too.
        var placed: Set<String> = []
        var waiting = (sorted.reversed() + roots.reversed()).map { Node(exchange: $0, depth: 0) }
        while let node = waiting.popLast() {
            guard placed.insert(node.exchange.request).inserted else { continue }
            nodes.append(node)
            waiting += (children[node.exchange.call] ?? []).reversed().map { Node(exchange: $0, depth: node.depth + 1) }
        }
        return nodes
    }
}
