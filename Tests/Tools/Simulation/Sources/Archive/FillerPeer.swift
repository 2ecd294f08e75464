import ArchiveMachine
import Contracts
import Domain
import Envelope
import Majordomo
import MessageBus

/// The archive's process with an order to fill: the real machine, an archive that outlives the process, and an upstream
/// with a quota of calls a day.
final class FillerPeer: ClientPeer {
    /// Seconds of the wall clock per second of the schedule: its days last two seconds.
    private static let wallSpeed = 40_000.0
    private static let concurrency = 4
    private static let attempts = 3
    private static let service = "echo"

    /// Of its own, so that the rest of a schedule does not depend on it.
    private var dice: Dice
    private let charts: [FillItem]
    private let callsPerDay: Int
    private let wallStart: Double
    private var archived: Set<FillItem> = []
    private var calls = (day: Day.firstChart, used: 0)
    // What ends with the process.
    private var machine = FillStateMachine([])
    private var inFlight: Set<FillItem> = []
    private var quotaReturns: Double?
    private var hasEnded = false

    init(dice: Dice, query: UInt64, in world: World) {
        self.dice = dice
        callsPerDay = self.dice.number(6...20)
        wallStart = Double(self.dice.number(0...86_399))
        charts = (0..<self.dice.number(1...12)).map { .chart(.daily(Day.firstChart.advanced(by: $0))) }
        super.init(name: "archive/1", query: query, in: world)
    }

    /// Why the order is not done; nil when it is.
    var rest: String? { hasEnded ? nil : "\(machine.left) charts are left, \(inFlight.count) in flight" }

    private var wall: Double { wallStart + Double(world.now.wholeMicroseconds) / 1_000_000 * Self.wallSpeed }

    override func started() {
        super.started()
        var configuration = FillStateMachine.Configuration()
        (configuration.concurrency, configuration.attempts) = (Self.concurrency, Self.attempts)
        configuration.perSecond = dice.hits(oneIn: 2) ? nil : Double(dice.number(5...50))
        (configuration.shortestPause, configuration.longestPause) = (.milliseconds(20), .milliseconds(300))
        machine = FillStateMachine(charts.filter { !archived.contains($0) }, configuration: configuration)
        (inFlight, quotaReturns, hasEnded) = ([], nil, false)
        act(machine.ticked(now: clock, date: wall))
    }

    override func ticked() {
        super.ticked()
        act(machine.ticked(now: clock, date: wall))
    }

    override var nextDeadline: Duration? {
        let own: Duration? =
            if case .quota(let until) = machine.pause {
                clock + .seconds(max(0, until - wall) / Self.wallSpeed)
            } else {
                machine.nextMoment(now: clock, date: wall)
            }
        return [super.nextDeadline, own].compactMap(\.self).min()
    }

    private func act(_ actions: [FillStateMachine.Action]) {
        for action in actions {
            switch action {
            case .fetch(let item): fetch(item)
            case .paused(.quota(let until)): quotaReturns = until
            case .paused(.requested), .paused(.failure), .resumed: break
            case .ended:
                hasEnded = true
                if !inFlight.isEmpty { world.referee.object(.filledTooEarly, "\(inFlight.count) are in flight") }
            }
        }
        planTick()
    }

    private func fetch(_ item: FillItem) {
        if archived.contains(item) || !inFlight.insert(item).inserted {
            world.referee.object(.filledTwice, "\(item)")
        }
        if inFlight.count > Self.concurrency { world.referee.object(.filledTooFast, "\(inFlight.count) at a time") }
        if let quotaReturns, wall < quotaReturns {
            world.referee.object(.filledBeyondQuota, "until \(quotaReturns)")
        }
        world.tally.fills += 1
        let work = dice.milliseconds(1...60)
        ask(
            Self.service, [Frame(text: "fill")], isIdempotent: true, within: .seconds(2), work: work
        ) { [self] ending in
            let isReply = if case .reply(_, _) = ending { true } else { false }
            inFlight.remove(item)
            if isReply { act(machine.answered(item, now: clock, date: wall)) }
            act(machine.received(isReply ? call(item) : .failed(.timeout), for: item, now: clock, date: wall))
        }
    }

    /// The upstream's answer.
    private func call(_ item: FillItem) -> FillStateMachine.Outcome {
        let today = Day.inSeoul(secondsSinceEpoch: wall)
        if calls.day != today { calls = (today, 0) }
        guard calls.used < callsPerDay else {
            world.tally.fillPauses += 1
            return .failed(.quotaExceeded)
        }
        calls.used += 1
        if dice.hits(oneIn: 5) { return .failed(.upstreamHTTP) }
        archived.insert(item)
        return .archived
    }
}
