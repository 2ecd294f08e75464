import Majordomo

extension Scenario {
    /// Every third schedule has requests that crash the processes that begin them.
    mutating func drawPoison(_ dice: inout Dice) {
        guard dice.hits(oneIn: 3) else { return }
        // Some crash their workers only sometimes.
        isPoisonFlaky = dice.hits(oneIn: 3)
        let kinds = dice.hits(oneIn: 4) ? 2 : 1
        let end = Int(live / .milliseconds(1))
        var time = dice.milliseconds(100...max(101, end / 2))
        for _ in 0..<dice.number(1...6) {
            guard time < live else { return }
            asks.append(
                Ask(
                    time: time, client: dice.number(below: clients), service: "echo",
                    isIdempotent: !dice.hits(oneIn: 4),
                    within: dice.hits(oneIn: 4) ? dice.milliseconds(5...300) : dice.milliseconds(1000...5000),
                    work: dice.milliseconds(1...20),
                    cancelledAfter: dice.hits(oneIn: 12) ? dice.milliseconds(0...500) : nil,
                    payload: "poison \(dice.number(below: kinds))", isPoison: true))
            time += dice.hits(oneIn: 2) ? dice.milliseconds(0...5) : dice.milliseconds(50...1500)
        }
    }
}
