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
        films.indices.flatMap { index in
            (films[index].detail == nil ? [Slot.detail(index)] : [])
                + (films[index].poster == nil ? [Slot.poster(index)] : [])
        }
    }

    var parts: [PartOutcome] {
        [chart] + films.flatMap { [$0.detail, $0.poster].compactMap { $0 } }
    }

    /// Every part arrived, and each is ok: nothing is stale, failed or late.
    var isComplete: Bool {
        missing.isEmpty && parts.allSatisfy { $0.status == .ok }
    }
}
