import Contracts
public import Envelope
public import EventLog
public import MessageBus
import ServiceKit

/// Rates, failures and durations, by kind of request and by instance.
public struct EventStatistics: Sendable {
    /// Figures of the answers of one kind or one instance.
    public struct Figures: Sendable {
        public fileprivate(set) var answers = 0
        public fileprivate(set) var errors = 0
        public fileprivate(set) var lookup = Exchange.Lookup(keys: 0, hits: 0)
        fileprivate var latency = LatencyHistogram()
        fileprivate var rate = RateWindow()

        public var summary: LatencySummary { latency.summary }
    }

    /// Senders choose the names of kinds and instances; above this number, new names are counted as `others`.
    private static let mostNames = 200
    static let others = "(others)"

    public private(set) var events = 0
    public private(set) var lost = 0
    public private(set) var kinds: [String: Figures] = [:]
    public private(set) var instances: [String: Figures] = [:]
    /// Answers by service, selected or not.
    private var answersOfService: [String: Int] = [:]
    private var clock = StreamClock()
    private var matcher = ExchangeMatcher()
    private let selection: EventSelection

    public init(_ selection: EventSelection) {
        self.selection = selection
    }

    /// By the broker's clock, in microseconds since 1970.
    public var span: ClosedRange<Int64>? { clock.span }

    /// - Returns: whether a figure changed.
    @discardableResult public mutating func take(_ event: Event, lost: Int = 0) -> Bool {
        events += 1
        self.lost += max(0, lost)
        clock.observe(event)
        let answered = event.kind == EventKind.queryAnswered && selection.contains(event)
        if answered {
            let kind = "query.\(event.attributes["command"]?.description ?? "")"
            Self.count(
                in: &kinds, kind, at: clock.now, took: event.attributes["tookMicroseconds"]?.count,
                hasFailed: event.attributes["status"] == .text("failed"))
        }
        return add(matcher.take(event)) || answered
    }

    /// Adds the time since the last call.
    public mutating func advance(by microseconds: Int64) {
        clock.advance(by: microseconds)
        _ = add(matcher.advance(by: microseconds))
    }

    /// Counts exchanges that ended although some of their events are missing.
    public mutating func finish() {
        _ = add(matcher.finish())
    }

    /// Recent answers per second, at the end of the span.
    public func perSecond(_ figures: Figures) -> Double {
        guard let span else { return 0 }
        return figures.rate.perSecond(at: span.upperBound, since: span.lowerBound)
    }

    /// The share of an instance in the answers of its service; nil for an unknown instance.
    public func share(of instance: String) -> Double? {
        guard let own = instances[instance], let service = instance.split(separator: "/").first else { return nil }
        let all = answersOfService[String(service)] ?? 0
        return all == 0 ? nil : Double(own.answers) / Double(all)
    }

    /// Cache hits among the parts that were peeked in the cache; nil before the first peek.
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

/// Rate of events in the last ten complete seconds and the current one.
struct RateWindow: Sendable {
    private static let seconds: Int64 = 10

    /// Counts by second since 1970, only within the window.
    private var counts: [Int64: Int] = [:]

    mutating func add(at microseconds: Int64) {
        let second = microseconds / 1_000_000
        counts[second, default: 0] += 1
        if counts.count > 2 * Int(Self.seconds) {
            let newest = counts.keys.max() ?? second
            counts = counts.filter { $0.key >= newest - Self.seconds }
        }
    }

    /// - Parameter start: beginning of the count, less than ten seconds ago at first.
    func perSecond(at now: Int64, since start: Int64) -> Double {
        let first = max(now / 1_000_000 - Self.seconds, start / 1_000_000)
        let count = counts.filter { $0.key >= first }.values.reduce(0, +)
        let elapsed = Double(now - max(first * 1_000_000, start)) / 1_000_000
        return Double(count) / max(elapsed, 1)
    }
}
