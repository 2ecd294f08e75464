internal import Contracts
public import Domain
public import Envelope
internal import Localization

/// The answer to one `show`: the chart, and a detail and a poster for each of its films.
///
/// A pure value: parts arrive in any order, each once; `isComplete` when all are present and ok.
public struct ShowAssembly: Sendable {
    public struct Film: Sendable, Equatable {
        public let code: String
        public internal(set) var detail: PartOutcome?
        public internal(set) var poster: PartOutcome?
    }

    public enum Slot: Sendable, Hashable {
        case detail(Int)
        case poster(Int)
    }

    public let selection: ChartSelection
    public let chart: PartOutcome
    public private(set) var films: [Film]

    public init(_ selection: ChartSelection, chart: PartOutcome, codes: [String]) {
        self.selection = selection
        self.chart = chart
        films = codes.map { Film(code: $0) }
    }

    /// The chart's day, or the first of its days.
    public var date: Day { selection.days.lowerBound }

    /// Stores a part; only the first one of each slot counts.
    public mutating func receive(_ outcome: PartOutcome, for slot: Slot) {
        switch slot {
        case .detail(let index): if films[index].detail == nil { films[index].detail = outcome }
        case .poster(let index): if films[index].poster == nil { films[index].poster = outcome }
        }
    }

    /// Parts that have not arrived.
    public var missing: [Slot] {
        var slots: [Slot] = []
        for index in films.indices {
            if films[index].detail?.status == nil { slots.append(.detail(index)) }
            if films[index].poster?.status == nil { slots.append(.poster(index)) }
        }
        return slots
    }

    /// All parts that have arrived, the chart first.
    public var parts: [PartOutcome] {
        [chart] + films.flatMap { [$0.detail, $0.poster].compactMap { $0 } }
    }

    /// The least genuine source of its parts; nil while there is none.
    public var source: DataSource? { parts.compactMap(\.source).min() }

    /// Every part arrived and is ok: none is stale, failed or late.
    public var isComplete: Bool {
        chart.status == .ok && films.allSatisfy { $0.detail?.status == .ok && $0.poster?.status == .ok }
    }
}

extension ShowAssembly {
    /// A copy in which an earlier answer's parts replace those that have not arrived.
    func filled(from earlier: ShowAssembly) -> ShowAssembly {
        var filled = self
        let byCode = Dictionary(earlier.films.map { ($0.code, $0) }, uniquingKeysWith: { first, _ in first })
        for (index, film) in films.enumerated() {
            if let detail = byCode[film.code]?.detail { filled.receive(detail, for: .detail(index)) }
            if let poster = byCode[film.code]?.poster { filled.receive(poster, for: .poster(index)) }
        }
        return filled
    }
}

extension ShowAssembly {
    /// A copy in which a failure replaces each part whose value does not match its contract.
    public func withoutUnreadableParts() -> ShowAssembly {
        replacingUnreadableParts { part, slot in
            switch slot {
            case nil: part.isReadable(as: Chart.self)
            case .detail: part.isReadable(as: FilmDetail.self)
            case .poster: part.isReadable(as: Poster.self)
            }
        }
    }

    /// - Parameter isReadable: is called for each part with a value, for the chart without a slot.
    public func replacingUnreadableParts(_ isReadable: (PartOutcome, Slot?) -> Bool) -> ShowAssembly {
        func readable(_ part: PartOutcome, _ slot: Slot?) -> PartOutcome {
            part.value == nil || isReadable(part, slot) ? part : part.unreadable
        }
        let chart = readable(chart, nil)
        guard chart.status != .failed || self.chart.status == .failed else {
            return ShowAssembly(selection, chart: chart, codes: [])
        }
        var assembly = ShowAssembly(selection, chart: chart, codes: films.map(\.code))
        for (index, film) in films.enumerated() {
            if let detail = film.detail { assembly.receive(readable(detail, .detail(index)), for: .detail(index)) }
            if let poster = film.poster { assembly.receive(readable(poster, .poster(index)), for: .poster(index)) }
        }
        return assembly
    }
}

extension PartOutcome {
    /// Whether its value decodes.
    fileprivate func isReadable<Value: Decodable>(as type: Value.Type) -> Bool {
        guard let value else { return true }
        return (try? JSONBytes.decode(type, from: value)) != nil
    }

    fileprivate var unreadable: PartOutcome { .failed(.unreadable, cache: cache, sender: sender) }
}

extension Failure {
    /// A part that arrived, or was stored, and does not decode.
    public static let unreadable = Failure(
        .unreadable,
        LocalizedText(
            ko: "받은 자료를 읽을 수 없습니다.", en: "A part of the answer cannot be read."),
        isRetryable: true)
}
