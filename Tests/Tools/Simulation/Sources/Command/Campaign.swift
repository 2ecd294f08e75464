/// Many schedules, on all cores; the outcome does not depend on the number of cores.
struct Campaign: Sendable {
    struct Failure: Sendable {
        let seed: UInt64
        let law: NetworkLaw
        let rule: Rule
        let detail: String
        let lines: [String]
    }

    struct Outcome: Sendable {
        var tally = Tally()
        /// The failure of the lowest seed.
        var failure: Failure?
    }

    private static let chunk = 250

    let options: SimulationOptions
    let workers: Int

    /// Runs chunk after chunk, and begins none after a failed one.
    func run() async -> Outcome {
        let starts = stride(from: 0, to: options.schedules, by: Self.chunk)
        var remaining = Array(starts)[...]
        return await withTaskGroup(of: (Int, Outcome).self) { group in
            var outcomes: [Int: Outcome] = [:]
            for _ in 0..<workers {
                guard let start = remaining.popFirst() else { break }
                group.addTask { (start, runChunk(from: start)) }
            }
            while let (start, outcome) = await group.next() {
                outcomes[start] = outcome
                if outcome.failure != nil { remaining = [] }
                if let next = remaining.popFirst() { group.addTask { (next, runChunk(from: next)) } }
            }
            return outcomes.sorted { $0.key < $1.key }.reduce(into: Outcome()) { sum, next in
                guard sum.failure == nil else { return }
                sum.tally.add(next.value.tally)
                sum.failure = next.value.failure
            }
        }
    }

    private func runChunk(from start: Int) -> Outcome {
        var outcome = Outcome()
        for offset in start..<min(start + Self.chunk, options.schedules) {
            let seed = options.seed + UInt64(offset)
            let law = options.law(of: seed)
            let world = World(seed: seed, law: law)
            let violation = world.run()
            outcome.tally.add(world.tally)
            guard let violation else { continue }
            outcome.failure = Failure(
                seed: seed, law: law, rule: violation.rule, detail: violation.detail,
                lines: Self.log(of: seed, law))
            break
        }
        return outcome
    }

    /// The same schedule again, with its event log.
    static func log(of seed: UInt64, _ law: NetworkLaw) -> [String] {
        let log = EventLog()
        _ = World(seed: seed, law: law, log: log).run()
        return log.lines
    }
}
