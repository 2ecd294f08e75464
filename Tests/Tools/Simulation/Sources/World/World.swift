import Majordomo

/// One schedule: a broker and its peers on a virtual clock, over a simulated network.
///
/// Every step is an event of the queue, and every choice comes from seeded dice: a seed determines the run.
final class World {
    enum Event {
        case arrivesAtBroker(Connection)
        case arrivesAtPeer(Connection)
        case peerTicks(Peer, life: Int)
        case brokerTicks(run: Int)
        case other(() -> Void)
    }

    /// More than ten times the events of any schedule; one that reaches it is in a loop.
    private static let eventLimit = 100_000

    let law: NetworkLaw
    let scenario: Scenario
    /// Dice of their own, so that the rest of a schedule depends on neither.
    var monitorDice: Dice
    var poisonDice: Dice
    /// Whether ends of connections are reported. Otherwise, as after the loss of a machine, only silence shows them.
    let areEndsReported: Bool
    private var lastProcess: UInt64 = 0
    private let fillDice: Dice?
    /// Every fifth schedule also has a cache.
    let cacheScenario: CacheScenario?
    var dice: Dice
    private(set) var now: Duration = .zero
    private var queue = EventQueue<Event>()
    private(set) var eventCount = 0
    private(set) var connections: [Connection] = []
    private(set) var clients: [ClientPeer] = []
    private(set) var workers: [WorkerPeer] = []
    private(set) var plainClients: [PlainClientPeer] = []
    private(set) var plainWorkers: [PlainWorkerPeer] = []
    private(set) var malformedPeer: MalformedPeer?
    private(set) lazy var broker = BrokerProcess(in: self)
    private(set) lazy var referee = Referee(in: self)
    private(set) lazy var cacheReferee = CacheReferee(in: self)
    /// Every fifth schedule, another one, also has an archive that fills.
    private(set) var filler: FillerPeer?
    /// The worker of the cache.
    private(set) var store: WorkerPeer?
    let log: EventLog?
    var tally = Tally()
    private var isOver = false

    init(seed: UInt64, law: NetworkLaw, log: EventLog? = nil) {
        self.law = law
        self.log = log
        dice = Dice(seed: law == .zeromq ? seed : ~seed)
        monitorDice = Dice(seed: seed ^ 0x0de5_c217)
        poisonDice = Dice(seed: seed ^ 0x9015_0a11)
        areEndsReported = !monitorDice.hits(oneIn: 3)
        var scenario = Scenario(&dice)
        scenario.drawPoison(&poisonDice)
        self.scenario = scenario
        // Dice of its own: the rest of a schedule does not depend on it.
        var cacheDice = Dice(seed: seed ^ 0x00ca_c4e5)
        fillDice = seed % 5 == 4 ? Dice(seed: seed ^ 0x0f11_1e2d) : nil
        cacheScenario = seed % 5 == 2 ? CacheScenario(&cacheDice, live: scenario.live) : nil
    }

    /// Runs the schedule to its end, or to the first rule that it breaks.
    func run() -> Violation? {
        populate()
        while !isOver, let (time, event) = queue.popFirst() {
            now = time
            perform(event)
            eventCount += 1
            if eventCount > Self.eventLimit { referee.object(.restless, "\(eventCount) events") }
            if referee.violation != nil { break }
        }
        // Planned events hold references to the world.
        queue = EventQueue()
        tally.schedules += 1
        tally.events += eventCount
        return referee.violation
    }

    func end() { isOver = true }

    private func perform(_ event: Event) {
        switch event {
        case .arrivesAtBroker(let connection): arriveAtBroker(connection)
        case .arrivesAtPeer(let connection): arriveAtPeer(connection)
        case .peerTicks(let peer, let life): peer.tickIsDue(life)
        case .brokerTicks(let run): broker.tickIsDue(run)
        case .other(let work): work()
        }
    }

    /// A unique number for a process.
    func nextProcess() -> UInt64 {
        lastProcess += 1
        return lastProcess
    }

    /// Whether messages have arrived at a broker that is suspended, or has just resumed.
    var hasUnread: Bool { connections.contains { $0.up.unread > 0 && $0.run == broker.run } }

    // MARK: Plans

    func plan(in delay: Duration, _ work: @escaping () -> Void) { queue.insert(.other(work), at: now + delay) }
    func plan(_ event: Event, at time: Duration) { queue.insert(event, at: time) }
    func planTick(of peer: Peer, at time: Duration) { plan(.peerTicks(peer, life: peer.life), at: time) }
    func planBrokerTick(at time: Duration) { plan(.brokerTicks(run: broker.run), at: time) }

    /// How late a process handles a due event: a machine has other load.
    var latency: Duration {
        dice.hits(oneIn: 24) ? dice.milliseconds(1...30) : dice.microseconds(1...900)
    }

    // MARK: Setup

    private func populate() {
        clients = (0..<scenario.clients).map { number in
            ClientPeer(
                name: "client/\(number + 1)", query: scenario.doClientsShareIDs ? 1 : UInt64(number + 1), in: self)
        }
        workers = scenario.workers.map { WorkerPeer($0, in: self) }
        if let cacheScenario { populate(cacheScenario) }
        if let fillDice {
            let filler = FillerPeer(dice: fillDice, query: 200, in: self)
            self.filler = filler
            clients.append(filler)
        }
        plainClients = scenario.plainClients.enumerated().map { PlainClientPeer(number: $0 + 1, $1, in: self) }
        plainWorkers = scenario.plainWorkers.enumerated().map { PlainWorkerPeer(number: $0 + 1, $1, in: self) }
        malformedPeer = scenario.hasVandal ? MalformedPeer(in: self) : nil
        let peers: [Peer] = clients + workers + plainClients + plainWorkers + (malformedPeer.map { [$0] } ?? [])
        plan(in: dice.hits(oneIn: 2) ? .zero : dice.milliseconds(0...200)) { [self] in broker.start() }
        for peer in peers { plan(in: dice.milliseconds(0...100)) { peer.start() } }
        for ask in scenario.asks { plan(in: ask.time) { [self] in clients[ask.client].ask(ask) } }
        for (time, fault) in scenario.faults { plan(in: time) { [self] in strike(fault) } }
        for client in plainClients { plan(in: dice.milliseconds(100...1500)) { client.ask() } }
        plan(in: scenario.live) { [self] in heal() }
    }

    private func populate(_ cache: CacheScenario) {
        let kind = Scenario.Worker(
            service: "cache", instance: "cache/1", capacity: CacheScenario.storeCapacity, isExclusive: true)
        let worker = WorkerPeer(kind, in: self)
        worker.handler = StoreHandler(cache, of: worker, in: self)
        store = worker
        workers.append(worker)
        let fetchers = (1...cache.fetchers).map { number in
            FetcherPeer(number: number, query: UInt64(100 + number), scenario: cache, in: self)
        }
        clients += fetchers
        for want in cache.wants { plan(in: want.time) { fetchers[want.fetcher].want(want) } }
    }

    func add(_ double: WorkerPeer) { workers.append(double) }
    func add(_ connection: Connection) { connections.append(connection) }
}
