import Majordomo
import MessageBus

/// Observes every message and ledger event, keeps a ledger of its own, and objects when a rule of the bus is broken.
///
/// It knows messages and times only, and no internal state of the machines.
final class Referee {
    /// The input that the broker is processing: a message, or a tick.
    struct Cause {
        var connection: Connection?
        var ready: (service: Frame, options: WorkerOptions?)?
        /// The dispatch that a worker's reply names.
        var reply: Dispatch?
        var isReplyLive = false
        var admission: Admission?
        var cancelled: Admission?
        /// The connection whose end the broker has read.
        var lost: Connection?
        /// The expected ledger events, less those that have occurred.
        var cancellations = 0
        var suspicions = 0
        var quarantines = 0
    }

    unowned let world: World
    private(set) var violation: Violation?
    var calls: [Call] = []
    var messages: [Message] = []
    var admissions: [Admission] = []
    var dispatches: [Frame: Dispatch] = [:]
    var registrations: [Registration] = []
    /// The registrations of the running broker.
    var live: [Admission] = []
    var registered: [Registration] = []
    var workerlessSince: [Frame: Duration] = [:]
    var cause = Cause()
    /// Of the running broker.
    var crashBook = CrashBook()
    /// When the broker last ticked.
    var lastTick: Duration = .zero
    /// Per service with a waiting suspect, the workers without a request since then: one of them is kept free.
    var keptFree: [Frame: [Registration]] = [:]
    /// Whether a change may leave a request waiting although a worker has capacity.
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
        world.log?.record(
            "simulation.rule_broken", by: "referee", at: now, nil,
            ["rule": .text(rule.rawValue), "by": .text(violation.detail)])
    }

    /// A dispatch whose ticket a malformed peer may forge.
    func randomDispatch(_ dice: inout Dice) -> (ticket: Frame, body: [Frame])? {
        guard let admission = dice.pick(live.filter { !$0.dispatches.isEmpty }),
            let dispatch = dice.pick(admission.dispatches)
        else { return nil }
        return (dispatch.ticket, dispatch.body)
    }

    func isPoison(_ content: ArraySlice<Frame>) -> Bool {
        MessageTag(content.last).map { messages[$0.number].call.isPoison } ?? false
    }

    /// A call that has not ended.
    var openCall: Call? { calls.first { !$0.isOver } }
}
