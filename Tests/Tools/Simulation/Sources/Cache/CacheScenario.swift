import CacheStoreMachine
import Majordomo

/// The cache requests of a schedule's fetchers, and the behaviour of their upstream; drawn from dice of its own.
struct CacheScenario {
    struct Want {
        let time: Duration
        let fetcher: Int
        let key: String
        let isRefresh: Bool
        /// How long each attempt at the upstream takes.
        let attempts: [Duration]
        let isSuccess: Bool
    }

    /// The store's capacity; half of it may be parked requests.
    static let storeCapacity = 8
    static let leases = LeaseConfiguration(maxParked: storeCapacity / 2)
    /// The renewal interval of a holder, and the budgets of its requests, as in the real fetchers.
    static let renewal = Duration.milliseconds(500)
    static let budget = Duration.seconds(5)
    static let account = QuotaAccount(upstream: "KOBIS", key: "0badcafe")
    /// Seconds of the store's wall clock per second of the schedule: its days last minutes.
    static let wallSpeed = 1200.0
    /// A midnight in Seoul, in Unix seconds.
    static let midnight = 1_795_186_800.0

    var fetchers: Int
    var wants: [Want] = []
    /// The calls of a day's quota.
    var limit: Int
    /// The initial time of the store's wall clock.
    var wallStart: Double
    /// The time and size of its steps.
    var wallSteps: [(time: Duration, seconds: Double)] = []
    /// The time in which the upstream reports an exhausted quota.
    var exhausted: Range<Duration>?

    init(_ dice: inout Dice, live: Duration) {
        fetchers = dice.number(2...4)
        limit = dice.hits(oneIn: 2) ? dice.number(1...6) : 1000
        // Half of the schedules have a midnight, some have it twice.
        wallStart =
            Self.midnight + (dice.hits(oneIn: 2) ? -Double(dice.number(1...5400)) : Double(dice.number(0...40_000)))
        if dice.hits(oneIn: 3) {
            for _ in 0..<dice.number(1...2) {
                wallSteps.append((dice.milliseconds(0...Int(live.wholeMilliseconds)), -Double(dice.number(60...7200))))
            }
        }
        if dice.hits(oneIn: 3) {
            let start = dice.milliseconds(0...Int(live.wholeMilliseconds))
            exhausted = start..<start + dice.milliseconds(1...2000)
        }
        drawWants(&dice)
    }

    private mutating func drawWants(_ dice: inout Dice) {
        let keys = ["a", "b", "c", "d"].prefix(dice.number(1...4))
        // Either spread over time, or all at once.
        let isBurst = dice.hits(oneIn: 2)
        var time = dice.milliseconds(100...800)
        for _ in 0..<dice.number(6...24) {
            wants.append(
                Want(
                    time: time, fetcher: dice.number(below: fetchers), key: dice.pick(Array(keys)) ?? "a",
                    isRefresh: dice.hits(oneIn: 2),
                    attempts: (0..<dice.number(1...3)).map { _ in
                        dice.milliseconds(dice.hits(oneIn: 3) ? 200...1500 : 1...150)
                    },
                    isSuccess: !dice.hits(oneIn: 4)))
            time += isBurst ? dice.milliseconds(0...4) : dice.milliseconds(0...500)
        }
    }
}
