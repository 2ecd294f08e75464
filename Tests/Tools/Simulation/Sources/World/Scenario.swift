import Majordomo

/// A kind of fault.
enum Fault: CaseIterable {
    case connectionBreaks
    /// It breaks, and the ends detect it late.
    case connectionFades
    case connectionStalls
    case pipeIsFull
    case workerPauses, workerCrashes, workerDrains
    /// All of them, as on one suspended machine.
    case workersPause
    /// A second process of the same name starts.
    case workerIsDoubled
    case clientPauses, clientCrashes
    case brokerPauses, brokerCrashes
}

/// The contents of one schedule, drawn from its seed: its processes, requests and faults.
///
/// Every schedule has few kinds of faults, other ones than its neighbours: some flaws mask others.
struct Scenario {
    struct Worker {
        let service: String
        let instance: String
        let capacity: Int
        var isExclusive = false
    }

    struct PlainWorker {
        let version: MajordomoVersion
        /// Answers DISCONNECT with a new READY on the same connection instead of a new connection.
        let keepsSocket: Bool
        /// Sends no heartbeats at work, as the worker of the ZeroMQ guide.
        let isQuietAtWork: Bool
    }

    struct Ask {
        let time: Duration
        let client: Int
        let service: String
        let isIdempotent: Bool
        let within: Duration
        /// How long a worker works on it.
        let work: Duration
        let cancelledAfter: Duration?
        /// Calls with the same payload are the same request.
        let payload: String
        /// Whether the process that begins it crashes.
        var isPoison = false
    }

    var timing = MajordomoTiming()
    var live: Duration
    var clients: Int
    /// Both use the same request ids.
    var doClientsShareIDs: Bool
    var workers: [Worker] = []
    var plainWorkers: [PlainWorker] = []
    var plainClients: [MajordomoVersion] = []
    var hasVandal: Bool
    var asks: [Ask] = []
    var faults: [(time: Duration, fault: Fault)] = []
    /// Only some of those that begin a poison request crash.
    var isPoisonFlaky = false

    init(_ dice: inout Dice) {
        live = dice.milliseconds(1500...5000)
        clients = dice.number(1...3)
        doClientsShareIDs = dice.hits(oneIn: 4)
        hasVandal = dice.hits(oneIn: 12)
        timing = Self.timing(&dice)
        drawWorkers(&dice)
        drawAsks(&dice)
        live = max(live, (asks.last?.time ?? .zero) + .milliseconds(5))
        drawFaults(&dice)
    }

    /// Half of the schedules use the real timing, half use shorter times and smaller bounds.
    private static func timing(_ dice: inout Dice) -> MajordomoTiming {
        var timing = MajordomoTiming()
        guard dice.hits(oneIn: 2) else { return timing }
        timing.heartbeatInterval = .milliseconds(dice.number(200...500))
        timing.plainHeartbeatInterval = .milliseconds(dice.number(500...900))
        timing.noWorkerGrace = dice.milliseconds(300...1500)
        timing.plainDeadline = dice.milliseconds(1500...4000)
        timing.agreementTimeout = dice.milliseconds(300...1000)
        timing.brokerGrace = dice.milliseconds(500...2000)
        if dice.hits(oneIn: 3) {
            timing.queueEntries = dice.number(2...4)
            timing.clientEntries = dice.number(1...3)
        }
        return timing
    }

    private mutating func drawWorkers(_ dice: inout Dice) {
        // Some schedules have plain workers only, so that no other worker is available.
        let isPlainWorld = dice.hits(oneIn: 6)
        for number in 1...dice.number(1...3) where !isPlainWorld {
            let capacity = dice.hits(oneIn: 2) ? 1 : dice.number(2...4)
            workers.append(Worker(service: "echo", instance: "echo/\(number)", capacity: capacity))
        }
        if dice.hits(oneIn: 5) {
            for number in 1...dice.number(1...2) {
                workers.append(Worker(service: "store", instance: "store/\(number)", capacity: 2, isExclusive: true))
            }
        }
        if isPlainWorld || dice.hits(oneIn: 6) {
            for _ in 1...dice.number(1...2) {
                plainWorkers.append(
                    PlainWorker(
                        version: version(&dice), keepsSocket: dice.hits(oneIn: 2), isQuietAtWork: dice.hits(oneIn: 3)))
            }
        }
        if dice.hits(oneIn: 4) { plainClients.append(version(&dice)) }
    }

    private func version(_ dice: inout Dice) -> MajordomoVersion { dice.hits(oneIn: 2) ? .v01 : .v02 }

    private mutating func drawAsks(_ dice: inout Dice) {
        let hasStore = workers.contains { $0.isExclusive }
        // Either at a steady rate, or in bursts that fill queues.
        let isSteady = dice.hits(oneIn: 3)
        let isShort = dice.hits(oneIn: 4)
        var time = dice.milliseconds(0...400)
        for number in 0..<dice.number(5...16) {
            let service =
                switch dice.number(below: 24) {
                case 0: "nobody"
                case 1: "mmi.service"
                case 2: dice.hits(oneIn: 2) ? "mmi.workers" : "mmi.nonsense"
                case 3...9 where hasStore: "store"
                default: "echo"
                }
            let work =
                switch dice.number(below: 8) {
                case 0 where !isSteady: dice.milliseconds(400...3000)
                case 1...2: dice.milliseconds(30...400)
                default: dice.milliseconds(1...30)
                }
            let within =
                switch dice.number(below: 8) {
                case 0: dice.milliseconds(1...200)
                case 1...3 where !isShort: dice.milliseconds(200...2400)
                case _ where isShort: dice.milliseconds(1...500)
                default: dice.milliseconds(2400...5000)
                }
            asks.append(
                Ask(
                    time: time, client: dice.number(below: clients), service: service,
                    isIdempotent: dice.hits(oneIn: 2), within: within, work: work,
                    cancelledAfter: dice.hits(oneIn: 12) ? dice.milliseconds(0...500) : nil,
                    payload: "ask \(number / 2)"))
            let isBurst = !isSteady && !dice.hits(oneIn: 3)
            time += isBurst ? dice.milliseconds(0...3) : dice.milliseconds(isSteady ? 100...450 : 0...1500)
        }
    }

    private mutating func drawFaults(_ dice: inout Dice) {
        let kinds = (0..<dice.number(1...3)).compactMap { _ in dice.pick(Fault.allCases) }
        for _ in 0..<dice.number(0...7) {
            guard let fault = dice.pick(kinds) else { continue }
            faults.append((faultTime(&dice), fault))
        }
    }

    private func faultTime(_ dice: inout Dice) -> Duration {
        switch dice.number(below: 5) {
        // During registration.
        case 0: return dice.milliseconds(0...150)
        // While a request is in transit.
        case 1, 2: return (dice.pick(asks)?.time ?? .zero) + dice.microseconds(0...4000)
        default: return dice.milliseconds(0...Int(live / .milliseconds(1)))
        }
    }
}
