import Contracts
public import Envelope
public import EventLog
public import MessageBus
import ServiceKit

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
    /// Answers of each service's instances, selected or not.
    private var answersOfService: [String: Int] = [:]
    private var clock = StreamClock()
    private var matcher = ExchangeMatcher()
    private let selection: EventSelection

    public init(_ selection: EventSelection) {
        self.selection = selection
    }

    /// By the broker's clock, in microseconds since 1970.
    public var span: ClosedRange<Int64>? { clock.span }

    /// - Returns: whether it has counted anything.
    @discardableResult public mutating func take(_ event: Event, lost: Int = 0) -> Bool {
        events += 1
        self.lost += max(0, lost)
        clock.heard(event)
        let answered = event.kind == EventKind.queryAnswered && selection.contains(event)
        if answered {
            let kind = "query.\(event.attributes["command"]?.description ?? "")"
            Self.count(
                in: &kinds, kind, at: clock.now, took: event.attributes["tookMicroseconds"]?.count,
                hasFailed: event.attributes["status"] == .text("failed"))
        }
        return add(matcher.take(event)) || answered
    }

    /// So many microseconds have passed since this was last said.
    public mutating func passed(_ microseconds: Int64) {
        clock.passed(microseconds)
        _ = add(matcher.passed(microseconds))
    }

    /// Counts what has ended although not everything about it was heard.
    public mutating func finish() {
        _ = add(matcher.finish())
    }

    /// Answers a second, lately, at the end of the span.
    public func perSecond(_ figures: Figures) -> Double {
        guard let span else { return 0 }
        return figures.rate.perSecond(at: span.upperBound, since: span.lowerBound)
    }

    /// Of the answers of an instance's service; nil for one that has no siblings' answers to be compared with.
    public func share(of instance: String) -> Double? {
        guard let own = instances[instance], let service = instance.split(separator: "/").first else { return nil }
        let all = answersOfService[String(service)] ?? 0
        return all == 0 ? nil : Double(own.answers) / Double(all)
    }

    /// Of the parts that were looked for in the cache by those who ask; nil while nobody has.
    public var hits: Exchange.Lookup? {
        guard let peeked = kinds[CachePeekRequest.kind]?.lookup, peeked.keys > 0 else { return nil }
        return peeked
    }

    private mutating func add(_ exchanges: [Exchange]) -> Bool {
        var hasCounted = false
        for exchange in exchanges where exchange.outcome != .cancelled && exchange.outcome != .open {
            if case .answered = exchange.outcome, let service = exchange.instance?.split(separator: "/").first {
                let name = String(service)
                if answersOfService[name] != nil || answersOfService.count < Self.mostNames {
                    answersOfService[name, default: 0] += 1
                }
            }
            guard selection.contains(exchange) else { continue }
            hasCounted = true
            let lookup =
                exchange.lookup ?? exchange.cache.map { Exchange.Lookup(keys: 1, hits: $0.hasPrefix("hit") ? 1 : 0) }
            Self.count(
                in: &kinds, exchange.kind ?? exchange.service ?? "-", at: clock.now, took: exchange.tookMicroseconds,
                hasFailed: exchange.hasFailed, lookup: lookup)
            if case .answered = exchange.outcome, let instance = exchange.instance {
                Self.count(
                    in: &instances, instance, at: clock.now, took: exchange.tookMicroseconds,
                    hasFailed: exchange.hasFailed, lookup: lookup)
            }
        }
        return hasCounted
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
