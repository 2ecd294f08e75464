import BrokerMachine
import Majordomo

/// The end of a schedule: without further faults the bus must come to rest and serve again.
extension World {
    /// Longer than every timeout: a plain peer's liveness, or its three attempts.
    private var limit: Duration {
        let timing = scenario.timing
        return max(timing.plainHeartbeatInterval * 4, timing.plainDeadline) + .seconds(10)
    }

    func heal() {
        malformedPeer?.leave()
        for connection in connections { connection.fullFor = 0 }
        let end = now + limit
        waitForRest(until: end) { [self] in
            guard law == .zeromq else { return finish() }
            askAgain { [self] in waitForRest(until: end) { [self] in finish() } }
        }
    }

    private func waitForRest(until end: Duration, then go: @escaping () -> Void) {
        guard let (rule, why) = unrest else { return go() }
        guard now < end else { return referee.object(rule, why) }
        plan(in: .milliseconds(50)) { [self] in waitForRest(until: end, then: go) }
    }

    /// Sends one call of every client, which must be answered soon; its deadline is late, so that slow work from the
    /// time of faults does not make the broker refuse it for the expected wait.
    private func askAgain(then go: @escaping () -> Void) {
        for client in askers {
            client.ask(
                Scenario.Ask(
                    time: now, client: 0, service: "echo", isIdempotent: false, within: .seconds(60),
                    work: .milliseconds(5), cancelledAfter: nil, payload: "last"))
        }
        waitForAnswers(until: now + .seconds(4), then: go)
    }

    /// The clients without the fetchers: a small queue cannot hold all at once.
    private var askers: ArraySlice<ClientPeer> { clients.prefix(scenario.clients) }

    private func waitForAnswers(until end: Duration, then go: @escaping () -> Void) {
        if askers.allSatisfy({ $0.lastCall?.isAnswered == true }) { return go() }
        guard now < end else { return referee.object(.notHealed, "the last calls have no FINAL") }
        plan(in: .milliseconds(20)) { [self] in waitForAnswers(until: end, then: go) }
    }

    private func finish() {
        let services = broker.machine.report(at: broker.clock).services
        if let idle = services.first(where: { $0.workers == 0 && $0.queued == 0 }) {
            referee.object(.serviceKept, idle.name)
        }
        if let call = referee.openCall { referee.object(.noEnding, "\(call)") }
        end()
    }
}
