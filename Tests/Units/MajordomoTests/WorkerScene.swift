import Majordomo
import MessageBus

/// A worker on a clock that the test moves; its actions are kept until they are taken.
final class WorkerScene {
    static let options = WorkerOptions(
        instance: "echo/1", capacity: 4, heartbeatInterval: .milliseconds(500), isExclusive: true)

    var worker: WorkerStateMachine
    private(set) var now: Duration = .zero
    private let version: MajordomoVersion
    private var actions: [WorkerStateMachine.Action] = []

    init(_ version: MajordomoVersion = .v02) {
        self.version = version
        worker = WorkerStateMachine(
            service: Frame(text: "echo"), options: Self.options, version: version, at: .zero)
    }

    func open() {
        worker.opened(at: now, &actions)
    }

    /// Registered with a broker that agreed to our options.
    static func agreed() -> WorkerScene {
        let scene = WorkerScene()
        scene.open()
        scene.receive(.heartbeat(extra: [options.encoded]))
        _ = scene.taken()
        return scene
    }

    /// Registered as a plain worker, since the broker did not agree to its options.
    static func plain() -> WorkerScene {
        let scene = WorkerScene()
        for _ in 1...2 {
            scene.open()
            scene.advance(by: .seconds(1))
        }
        scene.open()
        _ = scene.taken()
        return scene
    }

    func receive(_ message: WorkerMessage) {
        worker.received(message.encoded(version) ?? [], at: now, &actions)
    }

    func loseConnection() { worker.disconnected(at: now, &actions) }
    func drain() { worker.drain(at: now, &actions) }

    func finish(_ delivery: WorkerStateMachine.Delivery) {
        worker.answered(delivery, with: [Frame(text: "done")], at: now, &actions)
    }

    func withhold(_ delivery: WorkerStateMachine.Delivery) { worker.returned(delivery, at: now, &actions) }

    /// Advances the time, with a tick at each deadline; a connected broker sends its heartbeats.
    func advance(by duration: Duration, isBrokerConnected: Bool = true) {
        let end = now + duration
        while now < end {
            let next = min(worker.nextDeadline ?? end, now + .milliseconds(100), end)
            now = max(next, now)
            worker.ticked(at: now, &actions)
            if isBrokerConnected { receive(.heartbeat(extra: [])) }
        }
    }

    /// Advances the time while the process is suspended.
    func suspend(for duration: Duration) {
        now += duration
    }

    func tick() { worker.ticked(at: now, &actions) }

    func taken() -> [WorkerStateMachine.Action] {
        defer { actions = [] }
        return actions
    }

    func deliveries() -> [WorkerStateMachine.Delivery] {
        taken().compactMap { action in
            if case .deliver(let delivery) = action { delivery } else { nil }
        }
    }

    static func sent(_ message: WorkerMessage, _ version: MajordomoVersion = .v02) -> WorkerStateMachine.Action {
        .send(.worker(version, message))
    }
}
