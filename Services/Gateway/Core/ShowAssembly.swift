/// The join of one `show`: the chart, and a detail and a poster for each of its films.
///
/// A pure value: parts arrive in any order, each once; `isComplete` when all are there and good.
struct ShowAssembly: Sendable {
    struct Film: Sendable, Equatable {
        let code: String
        var detail: PartOutcome?
        var poster: PartOutcome?
    }

    enum Slot: Sendable, Hashable {
        case detail(Int)
        case poster(Int)
    }

    let chart: PartOutcome
    private(set) var films: [Film]

    init(chart: PartOutcome, codes: [String]) {
        self.chart = chart
        films = codes.map { Film(code: $0) }
    }

    mutating func arrived(_ outcome: PartOutcome, for slot: Slot) {
        switch slot {
        case .detail(let index): if films[index].detail == nil { films[index].detail = outcome }
        case .poster(let index): if films[index].poster == nil { films[index].poster = outcome }
        }
    }

    /// Parts that have not arrived.
    var missing: [Slot] {
        var slots: [Slot] = []
        for index in films.indices {
            if films[index].detail?.status == nil { slots.append(.detail(index)) }
            if films[index].poster?.status == nil { slots.append(.poster(index)) }
        }
        return slots
    }

    var parts: [PartOutcome] {
        [chart] + films.flatMap { [$0.detail, $0.poster].compactMap { $0 } }
    }

    /// Every part arrived, and each is ok: nothing is stale, failed or late.
    var isComplete: Bool {
        chart.status == .ok && films.allSatisfy { $0.detail?.status == .ok && $0.poster?.status == .ok }
    }
}
