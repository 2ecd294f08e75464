public import Envelope
public import EventLog
public import ServiceKit

/// What the stream tells of rates, failures and times: by kind of request, and by instance.
public struct EventStatistics: Sendable {
    /// Of the answers of one kind, or of one instance.
    public struct Figures: Sendable {
        public fileprivate(set) var answers = 0
        public fileprivate(set) var errors = 0
        public fileprivate(set) var lookup = Exchange.Lookup(keys: 0, hits: 0)
        fileprivate var latency = LatencyHistogram()
        fileprivate var rate = RateWindow()

        public var summary: LatencySummary { latency.summary }
    }

    /// Whoever sends messages names kinds and instances: beyond so many they are counted as one.
    private static let mostNames = 200
    static let others = "(others)"

    public private(set) var events = 0
    public private(set) var lost = 0
    public private(set) var kinds: [String: Figures] = [:]
    public private(set) var instances: [String: Figures] = [:]
    /// The first and the last moment that was told of, in microseconds since 1970.
    public private(set) var span: ClosedRange<Int64>?
    private var matcher = ExchangeMatcher()
    private let selection: EventSelection

    public init(_ selection: EventSelection) {
        self.selection = selection
    }

    public mutating func take(_ event: Event, lost: Int = 0) {
        events += 1
        self.lost += lost
        passed(event.at)
        if event.kind == "query.answered", selection.contains(event),
            case .number(let took)? = event.facts["tookMicroseconds"]
        {
            let kind = "query.\(event.facts["command"]?.description ?? "")"
            Self.count(in: &kinds, kind, at: event.at, took: took, hasFailed: false)
        }
        add(matcher.take(event))
    }

    public mutating func ticked(at moment: Int64) {
        passed(moment)
        add(matcher.ticked(at: moment))
    }

    /// Counts what has ended although not everything about it was heard.
    public mutating func finish() {
        add(matcher.finish().filter { $0.outcome != .open })
    }

    /// Answers a second, lately, at the end of the span.
    public func perSecond(_ figures: Figures) -> Double {
        guard let span else { return 0 }
        return figures.rate.perSecond(at: span.upperBound, since: span.lowerBound)
    }

    /// Of the answers of an instance's service; nil for one that has no siblings' answers to be compared with.
    public func share(of instance: String) -> Double? {
        guard let own = instances[instance], let service = instance.split(separator: "/").first else { return nil }
        let all = instances.filter { $0.key.hasPrefix("\(service)/") }.reduce(0) { $0 + $1.value.answers }
        return all == 0 ? nil : Double(own.answers) / Double(all)
    }

    /// Of the parts that were looked for in the cache by those who ask; nil while nobody has.
    public var hits: Exchange.Lookup? {
        guard let peeked = kinds["cache.peek"]?.lookup, peeked.keys > 0 else { return nil }
        return peeked
    }

    private mutating func passed(_ moment: Int64) {
        span = span.map { min($0.lowerBound, moment)...max($0.upperBound, moment) } ?? moment...moment
    }

    private mutating func add(_ exchanges: [Exchange]) {
        for exchange in exchanges where selection.contains(exchange) && exchange.outcome != .cancelled {
            let kind = exchange.kind ?? exchange.service ?? "-"
            let moment = exchange.beganAt + Int64(exchange.tookMicroseconds ?? 0)
            let lookup =
                exchange.lookup ?? exchange.cache.map { Exchange.Lookup(keys: 1, hits: $0.hasPrefix("hit") ? 1 : 0) }
            Self.count(
                in: &kinds, kind, at: moment, took: exchange.tookMicroseconds, hasFailed: exchange.hasFailed,
                lookup: lookup)
            if case .answered = exchange.outcome, let instance = exchange.instance {
                Self.count(
                    in: &instances, instance, at: moment, took: exchange.tookMicroseconds,
                    hasFailed: exchange.hasFailed, lookup: lookup)
            }
        }
    }

    private static func count(
        in figures: inout [String: Figures], _ name: String, at moment: Int64, took: Int?, hasFailed: Bool,
        lookup: Exchange.Lookup? = nil
    ) {
        let name = figures[name] != nil || figures.count < mostNames ? name : others
        figures[name, default: Figures()].add(at: moment, took: took, hasFailed: hasFailed, lookup: lookup)
    }
}

extension EventStatistics.Figures {
    fileprivate mutating func add(at moment: Int64, took: Int?, hasFailed: Bool, lookup: Exchange.Lookup?) {
        answers += 1
        if hasFailed { errors += 1 }
        if let took { latency.record(.microseconds(took)) }
        rate.add(at: moment)
        if let found = lookup {
            self.lookup.keys += found.keys
            self.lookup.hits += found.hits
        }
    }
}
