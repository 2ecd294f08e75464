/// The notes about the parts of several films: each film's own, and those that concern several films.
public struct FilmNotes: Sendable {
    private let ranks: [Int]
    /// Of each film.
    public private(set) var own: [[String]]
    /// Each with the ranks of its films, as "1-3, 5".
    public private(set) var shared: [(note: String, ranks: String)] = []

    public init(_ ranks: [Int], _ notes: [[String]]) {
        self.ranks = ranks
        own = notes
        share { $0 > 1 }
    }

    /// Leaves no film a note of its own.
    public mutating func shareAll() { share { _ in true } }

    private mutating func share(where isShared: (_ films: Int) -> Bool) {
        var films: [String: [Int]] = [:]
        var order: [String] = []
        for (index, notes) in own.enumerated() {
            for note in notes {
                if films[note] == nil { order.append(note) }
                films[note, default: []].append(ranks[index])
            }
        }
        let moved = order.filter { isShared(films[$0]?.count ?? 0) }
        shared += moved.map { ($0, Self.text(films[$0] ?? [])) }
        own = own.map { notes in notes.filter { !moved.contains($0) } }
    }

    /// "1-3, 5".
    private static func text(_ ranks: [Int]) -> String {
        var runs: [ClosedRange<Int>] = []
        for rank in ranks {
            if let last = runs.last, rank <= last.upperBound + 1 {
                runs[runs.count - 1] = last.lowerBound...max(last.upperBound, rank)
            } else {
                runs.append(rank...rank)
            }
        }
        return runs.map { $0.count == 1 ? "\($0.lowerBound)" : "\($0.lowerBound)-\($0.upperBound)" }
            .joined(separator: ", ")
    }
}
