import BrokerMachine
import Majordomo
import MessageBus

/// A process beside the broker: it starts, is suspended, crashes, and has at most one connection at a time.
class Peer {
    enum Role {
        case client, plainClient(MajordomoVersion), worker, malformedPeer
    }

    unowned let world: World
    let name: String
    let role: Role
    /// Counts its starts: work planned in one life does not run in the next.
    private(set) var life = 0
    private(set) var isUp = false
    private(set) var pausedUntil: Duration = .zero
    /// The longest of its suspensions, and when it ended.
    private(set) var longestPause: Duration = .zero
    private(set) var longestPauseEnd: Duration = .zero
    /// Another process of the same name has started: from then on each expels the other.
    var isDoubled = false
    /// The end of its last fault.
    private(set) var troubledUntil: Duration = .zero
    private(set) var bornAt: Duration = .zero
    var connection: Connection?
    private var tickDue: Duration?

    init(_ name: String, role: Role, in world: World) {
        self.name = name
        self.role = role
        self.world = world
    }

    /// What the broker lets it do, by the key that it has.
    var rights: PeerRights { .all }

    /// Its own monotonic clock, which begins with each start.
    final var clock: Duration { world.now - bornAt }
    final var isPaused: Bool { world.now < pausedUntil }

    // MARK: Overridden by subclasses

    func started() {}
    func connected() {}
    func lost() {}
    func received(_ frames: [Frame]) {}
    func ticked() {}
    /// The time of its next tick, on its own clock.
    var nextDeadline: Duration? { nil }

    // MARK: Lifecycle

    final func start() {
        guard !isUp else { return }
        life += 1
        isUp = true
        bornAt = world.now
        tickDue = nil
        longestPause = .zero
        troubledUntil = isDoubled ? Self.forever : world.now
        started()
    }

    /// Ends the process at once; its last messages may be lost.
    final func crash() {
        guard isUp else { return }
        connection.map { world.cut($0) }
        end()
    }

    /// Ends the process in an orderly way: its sent messages still arrive.
    final func leave() {
        guard isUp else { return }
        connection.map { world.close($0) }
        end()
    }

    private func end() {
        connection = nil
        isUp = false
        pausedUntil = .zero
        markTroubled(until: world.now)
    }

    final func pause(for duration: Duration) {
        guard isUp, !isPaused else { return }
        pausedUntil = world.now + duration
        markTroubled(until: pausedUntil + .milliseconds(20))
        if duration > longestPause { (longestPause, longestPauseEnd) = (duration, pausedUntil) }
    }

    static let forever = Duration.seconds(1_000_000)

    final func markTroubled(until time: Duration) { troubledUntil = max(troubledUntil, time) }

    // MARK: Time

    /// Runs `work` later in this life, and not while the process is suspended.
    final func later(in delay: Duration, _ work: @escaping () -> Void) {
        let life = life
        world.plan(in: delay) { [self] in whenAwake(life, work) }
    }

    /// All work that waits for a process begins in any order after it resumes.
    final func whenAwake(_ life: Int, _ work: @escaping () -> Void) {
        guard isUp, life == self.life else { return }
        guard isPaused else { return work() }
        world.plan(in: awakening) { [self] in whenAwake(life, work) }
    }

    final var awakening: Duration { pausedUntil - world.now + world.dice.microseconds(0...2000) }

    final func planTick() {
        guard let deadline = nextDeadline else { return }
        let due = max(bornAt + deadline, world.now) + world.latency
        if let tickDue, tickDue <= due { return }
        tickDue = due
        world.planTick(of: self, at: due)
    }

    final func tickIsDue(_ life: Int) {
        guard isUp, life == self.life, tickDue == world.now else { return }
        tickDue = nil
        if isPaused {
            let due = world.now + awakening
            tickDue = due
            return world.planTick(of: self, at: due)
        }
        ticked()
        planTick()
    }
}
