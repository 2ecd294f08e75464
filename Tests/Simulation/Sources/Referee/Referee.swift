import Majordomo

/// Watches every message and every note, keeps a ledger of its own, and objects when a rule of the bus is broken.
///
/// It knows what was said and when, and nothing of the machines' insides.
final class Referee {
    /// What the broker is working on: a message, or the time.
    struct Cause {
        var connection: Connection?
        var ready: (service: Frame, options: WorkerOptions?)?
        /// The hand-out that a worker's reply names.
        var reply: HandOut?
        var isReplyLive = false
        var admission: Admission?
        var cancelled: Admission?
        /// The connection whose end the broker has read.
        var lost: Connection?
        /// What the broker is to note, less what it has noted.
        var cancellations = 0
        var suspicions = 0
        var quarantines = 0
    }

    unowned let world: World
    private(set) var violation: Violation?
    var calls: [Call] = []
    var messages: [Message] = []
    var admissions: [Admission] = []
    var dispatches: [Frame: HandOut] = [:]
    var registrations: [Registration] = []
    /// Those of the running broker.
    var live: [Admission] = []
    var registered: [Registration] = []
    var workerlessSince: [Frame: Duration] = [:]
    var cause = Cause()
    /// Of the running broker.
    var crashBook = CrashBook()
    /// When the broker last did what is due.
    var lastTick: Duration = .zero
    /// Where a suspect waits, the workers that have got nothing since: one of them is kept free.
    var keptFree: [Frame: [Registration]] = [:]
    /// Something changed that may leave a request waiting beside a worker with room.
    var isUnsettled = false

    init(in world: World) { self.world = world }

    var now: Duration { world.now }
    var broker: BrokerProcess { world.broker }
    var timing: MajordomoTiming { world.scenario.timing }
    var isLawful: Bool { world.law == .zeromq }
    static let management = Frame(text: "mmi.")

    func object(_ rule: Rule, _ detail: @autoclosure () -> String) {
        guard violation == nil else { return }
        let violation = Violation(rule: rule, detail: detail())
        self.violation = violation
        world.log?.tell(
            "simulation.rule_broken", by: "referee", at: now, nil,
            ["rule": .text(rule.rawValue), "by": .text(violation.detail)])
    }

    /// An object to steal from.
    func someHandOut(_ dice: inout Dice) -> (ticket: Frame, body: [Frame])? {
        guard let admission = dice.pick(live.filter { !$0.dispatches.isEmpty }),
            let dispatch = dice.pick(admission.dispatches)
        else { return nil }
        return (dispatch.ticket, dispatch.body)
    }

    func isPoison(_ content: [Frame]) -> Bool {
        MessageTag(content.last).map { messages[$0.number].call.isPoison } ?? false
    }

    /// A call that nobody has ended.
    var openCall: Call? { calls.first { !$0.isOver } }
}
