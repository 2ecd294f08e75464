internal import Envelope
internal import MessageBus
internal import PollLoop
internal import ProcessKit

/// How an instance of a service is found, reached and observed: by the micro protocol, and under a subject of its own.
actor NATSPresence {
    /// What the instance has done, for those who ask.
    struct Figures: Sendable {
        var requests = 0
        /// Of all requests, in nanoseconds.
        var processingTime: Int64 = 0
        var inFlight = 0
        var errors = 0
        var isDraining = false
    }

    private struct Owner {
        let receive: @Sendable (NATSMessage) -> Void
        let figures: @Sendable () -> Figures
    }

    private nonisolated let loop: PollLoop
    private let connection: NATSConnection
    private let options: BusWorkerOptions
    private let startedAt = WallClock.system.microseconds
    private let clock = BusClock()
    /// Under which name and over which connection the instance is reached now.
    private(set) var place: ServiceDirectory.Place
    private var placeSubscription: UInt64?
    private var microSubscriptions: [UInt64] = []
    /// Nil before `begin` and after `leave`: then nobody can reach the instance.
    private var owner: Owner?

    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    init(_ options: BusWorkerOptions, instance: String, _ connection: NATSConnection, on loop: PollLoop) {
        self.loop = loop
        self.connection = connection
        self.options = options
        place = ServiceDirectory.Place(instance: instance, connection: "")
    }

    /// Makes the instance known.
    ///
    /// - Parameters:
    ///   - receive: takes what is for this instance; called on the loop.
    ///   - figures: called on the loop.
    func begin(
        receive: @escaping @Sendable (NATSMessage) -> Void, figures: @escaping @Sendable () -> Figures
    ) throws(NATSError) {
        owner = Owner(receive: receive, figures: figures)
        // Before anyone can find it.
        renewPlace()
        for verb in MicroService.Verb.allCases {
            let all = "$SRV.\(verb.rawValue)"
            let ofService = "\(all).\(options.service)"
            for subject in [all, ofService, "\(ofService).\(Subjects.token(place.instance))"] {
                microSubscriptions.append(
                    try subscribe(subject) { [weak self] message in self?.assumeIsolated { $0.answer(verb, message) } })
            }
        }
    }

    /// Receives what is for this instance, under another subject over each connection.
    func renewPlace() {
        guard let owner, !owner.figures().isDraining else { return }
        place = ServiceDirectory.Place(
            instance: place.instance, connection: String(UInt64.random(in: 0 ... .max), radix: 36))
        let subject = Subjects.allRequests(at: place.instance, over: place.connection)
        // Its subject is well-formed; a connection that is lost again is followed by another.
        guard let renewed = try? subscribe(subject, owner.receive) else { return }
        if let placeSubscription { connection.perform { $0.unsubscribe(placeSubscription) } }
        placeSubscription = renewed
    }

    /// Receives nothing more for this instance; it is still observed.
    func leave() async {
        guard let placeSubscription else { return }
        self.placeSubscription = nil
        await connection.leave(placeSubscription)
    }

    /// Is not observed any more.
    func end() {
        owner = nil
        for id in microSubscriptions + [placeSubscription].compactMap(\.self) {
            connection.perform { $0.unsubscribe(id) }
        }
        (microSubscriptions, placeSubscription) = ([], nil)
    }

    private func subscribe(
        _ subject: String, _ receive: @escaping @Sendable (NATSMessage) -> Void
    ) throws(NATSError) -> UInt64 {
        try connection.perform { connection throws(NATSError) in
            try connection.subscribe(subject) { arrival in
                if case .message(let message) = arrival { receive(message) }
            }
        }
    }

    private func answer(_ verb: MicroService.Verb, _ message: NATSMessage) {
        guard let reply = message.inbox, let figures = owner?.figures() else { return }
        // Clients ask who takes their requests.
        guard verb != .ping || !figures.isDraining else { return }
        var endpoint = MicroService.Answer.Endpoint(
            subject: Subjects.allRequests(of: options.service), queueGroup: options.service)
        if verb == .stats { endpoint.counts = counts(of: figures) }
        let answer = MicroService.Answer(
            type: verb.type, name: options.service, id: Subjects.token(place.instance), version: ProductVersion.current,
            metadata: ["instance": place.instance, "connection": place.connection],
            description: verb == .info ? options.service : nil,
            started: verb == .stats ? RFC3339.text(microseconds: startedAt) : nil,
            endpoints: verb == .ping ? nil : [endpoint])
        // Texts and numbers always encode; who asks counts a missing answer as an absent instance.
        guard let bytes = try? JSONBytes.encode(answer) else { return }
        // Without a connection there is no question.
        _ = try? connection.perform { connection throws(NATSError) in try connection.publish(bytes, to: reply) }
    }

    private func counts(of figures: Figures) -> MicroService.Answer.Counts {
        var counts = MicroService.Answer.Counts()
        counts.requests = figures.requests
        counts.errors = figures.errors
        counts.processingTime = figures.processingTime
        counts.averageProcessingTime = figures.requests == 0 ? 0 : figures.processingTime / Int64(figures.requests)
        counts.data = BrokerStatus.Worker(
            service: options.service, instance: place.instance, capacity: options.capacity,
            inFlight: figures.inFlight, served: figures.requests, draining: figures.isDraining,
            registeredSeconds: (clock.now / .milliseconds(1)).rounded() / 1000)
        return counts
    }
}
