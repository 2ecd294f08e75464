import Majordomo

/// SplitMix64: the same seed, the same walk.
struct Dice: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var z = state
        z = (z ^ (z >> 30)) &* 0xbf58_476d_1ce4_e5b9
        z = (z ^ (z >> 27)) &* 0x94d0_49bb_1331_11eb
        return z ^ (z >> 31)
    }

    mutating func hits(oneIn count: Int) -> Bool { Int.random(in: 0..<count, using: &self) == 0 }

    mutating func duration(_ milliseconds: ClosedRange<Int>) -> Duration {
        .milliseconds(Int.random(in: milliseconds, using: &self))
    }
}

/// One connection: in order both ways; when it breaks, any last part of what was on its way is lost.
final class Link {
    typealias Flight = (due: Duration, frames: [Frame])
    let peer: PeerID
    fileprivate var toBroker: [Flight] = []
    fileprivate var toEnd: [Flight] = []
    fileprivate(set) var isWhole = true
    /// When its end learns that it is broken.
    fileprivate var toldAt: Duration?

    init(peer: PeerID) { self.peer = peer }
}

/// The broker and the network between it and its peers, in steps of ten milliseconds.
final class RandomWorld {
    static let step = Duration.milliseconds(10)
    var dice: Dice
    private(set) var now: Duration = .zero
    private(set) var broker: BrokerStateMachine
    private(set) var links: [Link] = []
    private var epoch: UInt64 = 1
    private var brokerStartedAt: Duration? = .zero
    private var restartsAt: Duration = .zero
    var isBrokerUp: Bool { brokerStartedAt != nil }

    init(seed: UInt64) {
        dice = Dice(seed: seed)
        broker = BrokerStateMachine(epoch: epoch)
    }

    /// A new connection; nil while the broker is away.
    func connect(_ name: String) -> Link? {
        guard isBrokerUp else { return nil }
        let link = Link(peer: Frame(text: "\(name) \(now)"))
        links.append(link)
        return link
    }

    func send(_ frames: [Frame], over link: Link) {
        guard link.isWhole else { return }
        let due = now + dice.duration(0...20)
        link.toBroker.append((max(due, link.toBroker.last?.due ?? due), frames))
    }

    /// What has arrived at the end of a link.
    func arrived(over link: Link) -> [[Frame]] {
        let count = link.toEnd.prefix { $0.due <= now }.count
        defer { link.toEnd.removeFirst(count) }
        return link.toEnd.prefix(count).map(\.frames)
    }

    func isToldOfLoss(_ link: Link) -> Bool { link.toldAt.map { $0 <= now } ?? false }

    func breakLink(_ link: Link) {
        guard link.isWhole else { return }
        link.isWhole = false
        link.toldAt = now + dice.duration(0...50)
        link.toBroker.removeLast(Int.random(in: 0...link.toBroker.count, using: &dice))
        link.toEnd.removeLast(Int.random(in: 0...link.toEnd.count, using: &dice))
    }

    func crashBroker() {
        guard isBrokerUp else { return }
        for link in links {
            breakLink(link)
            link.toBroker = []
        }
        brokerStartedAt = nil
        restartsAt = now + dice.duration(0...3000)
    }

    /// One step of time: what has arrived at the broker is received, then it ticks.
    func advance() {
        now += Self.step
        guard let start = brokerStartedAt else {
            if restartsAt <= now {
                epoch += 1
                broker = BrokerStateMachine(epoch: epoch)
                brokerStartedAt = now
            }
            return
        }
        let time = now - start
        for link in links {
            while let flight = link.toBroker.first, flight.due <= now {
                link.toBroker.removeFirst()
                carryOut(broker.received(flight.frames, from: link.peer, at: time), at: time)
            }
        }
        if let due = broker.nextDeadline, due <= time { carryOut(broker.ticked(at: time), at: time) }
        links.removeAll { !$0.isWhole && $0.toBroker.isEmpty && isToldOfLoss($0) }
    }

    private func carryOut(_ actions: [BrokerStateMachine.Action], at time: Duration) {
        for case .send(let peer, let frames) in actions {
            if let link = links.first(where: { $0.peer == peer && $0.isWhole }) {
                let due = now + dice.duration(0...20)
                link.toEnd.append((max(due, link.toEnd.last?.due ?? due), frames))
            } else {
                carryOut(broker.undeliverable(to: peer, at: time), at: time)
            }
        }
    }
}
