/// The options of the command line.
struct SimulationOptions {
    static let usage = """
        Runs the bus in virtual time: the real state machines, over networks that fail, judged by the rules of the bus.

        majordomo-simulation [--schedules N] [--seed K] [--network zeromq|lawless|both] [--log]

          --schedules N  how many seeds, from K on (default 20000)
          --seed K       the first seed (default 1)
          --network …    how messages travel (default both: every fourth seed over the lawless one)
          --log          print the event log of every schedule, as tap --json does; a failing one prints it anyway

        Exit codes: 0 every rule held, 1 one was broken, 64 usage.
        """

    var schedules = 20_000
    var seed: UInt64 = 1
    var law: NetworkLaw?
    var isLogging = false

    init?(_ arguments: some Sequence<String>) {
        var words = Array(arguments)[...]
        while let word = words.popFirst() {
            switch word {
            case "--schedules":
                guard let count = words.popFirst().flatMap({ Int($0) }), count > 0 else { return nil }
                schedules = count
            case "--seed":
                guard let seed = words.popFirst().flatMap({ UInt64($0) }) else { return nil }
                self.seed = seed
            case "--network":
                guard let name = words.popFirst() else { return nil }
                law = NetworkLaw(rawValue: name)
                guard law != nil || name == "both" else { return nil }
            case "--log": isLogging = true
            default: return nil
            }
        }
    }

    /// The network law of a seed.
    func law(of seed: UInt64) -> NetworkLaw { law ?? (seed % 4 == 3 ? .lawless : .zeromq) }
}
