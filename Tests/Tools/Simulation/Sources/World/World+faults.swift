import Majordomo

extension World {
    /// Applies one fault to a target that can have it.
    func strike(_ fault: Fault) {
        switch fault {
        case .connectionBreaks:
            strikeConnection {
                sever($0, brokerLearnsIn: dice.milliseconds(0...30), peerLearnsIn: dice.milliseconds(0...50))
            }
        case .connectionFades:
            strikeConnection {
                sever($0, brokerLearnsIn: dice.milliseconds(0...4000), peerLearnsIn: dice.milliseconds(0...4000))
            }
        case .connectionStalls: strikeConnection(stall)
        case .pipeIsFull:
            strikeConnection { $0.fullFor = dice.number(1...2) }
        case .workerPauses:
            let peers: [Peer] = workers + plainWorkers
            pause(dice.pick(peers), for: dice.milliseconds(dice.hits(oneIn: 2) ? 50...1500 : 1500...4000))
        case .workersPause:
            let duration = dice.milliseconds(300...4000)
            for worker in workers + plainWorkers as [Peer] { pause(worker, for: duration) }
        case .clientPauses: pause(dice.pick(clients), for: dice.milliseconds(50...3000))
        case .brokerPauses:
            record("process.paused", "broker/1")
            tally.pauses += 1
            broker.pause(for: dice.milliseconds(dice.hits(oneIn: 2) ? 10...600 : 600...3000))
        case .workerCrashes:
            let peers: [Peer] = workers + plainWorkers
            crash(dice.pick(peers), for: dice.milliseconds(50...1500))
        case .clientCrashes:
            let peers: [Peer] = clients + plainClients
            crash(dice.pick(peers), for: dice.milliseconds(50...1500))
        case .brokerCrashes:
            record("process.crashed", "broker/1")
            tally.brokerRestarts += broker.isUp ? 1 : 0
            broker.crash(for: dice.milliseconds(dice.hits(oneIn: 2) ? 0...300 : 300...3000))
        case .workerDrains:
            guard let worker = dice.pick(workers), worker.isUp else { return }
            record("worker.told_to_drain", worker.name)
            tally.drains += 1
            worker.drain()
        case .workerIsDoubled: double()
        }
    }

    private func record(_ kind: String, _ source: String) { log?.record(kind, by: source, at: now) }

    private func strikeConnection(_ strike: (Connection) -> Void) {
        if let connection = dice.pick(connections.filter(\.isOpen)) { strike(connection) }
    }

    /// In one direction or both, nothing arrives for a while, then everything in order.
    private func stall(_ connection: Connection) {
        let end = now + dice.milliseconds(100...3000)
        record("network.stalled", connection.owner.name)
        tally.stalls += 1
        connection.troubledUntil = max(connection.troubledUntil, end + .milliseconds(20))
        let ways = dice.number(1...3)
        if ways & 1 != 0 { connection.up.lastDue = max(connection.up.lastDue, end) }
        if ways & 2 != 0 { connection.down.lastDue = max(connection.down.lastDue, end) }
    }

    private func pause(_ peer: Peer?, for duration: Duration) {
        guard let peer, peer.isUp else { return }
        record("process.paused", peer.name)
        tally.pauses += 1
        peer.pause(for: duration)
    }

    /// A worker has begun a poison request; its supervisor starts another process.
    func poison(_ worker: Peer, in work: Duration) {
        if scenario.isPoisonFlaky, poisonDice.hits(oneIn: 3) { return }
        let (delay, pause) = (poisonDice.microseconds(0...900), poisonDice.milliseconds(50...1500))
        worker.later(in: min(work, delay)) { [self] in
            tally.poisonCrashes += 1
            crash(worker, for: pause)
        }
    }

    private func crash(_ peer: Peer?, for duration: Duration) {
        guard let peer, peer.isUp else { return }
        record("process.crashed", peer.name)
        tally.crashes += 1
        peer.crash()
        if (peer as? WorkerPeer)?.comesBack != false { plan(in: duration) { peer.start() } }
    }

    private func double() {
        // Two stores on one disk are no network fault: the launcher ensures that there is one.
        guard let worker = dice.pick(workers.filter { $0.handler == nil }), worker.isUp, worker.comesBack else {
            return
        }
        record("worker.doubled", worker.name)
        tally.doubles += 1
        let double = WorkerPeer(worker.kind, in: self)
        double.comesBack = false
        add(double)
        for peer in [worker, double] {
            peer.isDoubled = true
            peer.markTroubled(until: Peer.forever)
        }
        double.start()
        plan(in: dice.milliseconds(200...2000)) { double.leave() }
    }
}
