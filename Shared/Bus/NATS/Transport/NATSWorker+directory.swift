internal import Envelope
internal import MessageBus
internal import ProcessKit

/// How an instance is found, reached and observed.
extension NATSWorker {
    /// The subjects of the micro protocol: of all services, of this one, and of this instance.
    func subscribeMicro() throws(NATSError) {
        for verb in MicroService.Verb.allCases {
            let all = "$SRV.\(verb.rawValue)"
            for subject in [all, "\(all).\(options.service)", "\(all).\(options.service).\(Subjects.token(instance))"] {
                microSubscriptions.append(try subscribe(subject) { $0.answer(verb, $1) })
            }
        }
    }

    /// Receives what is for this instance, under another subject over each connection.
    func renewPlace() {
        guard !isDraining, !isStopped else { return }
        place = ServiceDirectory.Place(
            instance: instance, connection: String(UInt64.random(in: 0 ... .max), radix: 36))
        let subject = Subjects.allRequests(at: instance, over: place.connection)
        // Its subject is well-formed; a connection that is lost again is followed by another.
        guard let renewed = try? subscribe(subject, { $0.receive($1) }) else { return }
        if let placeSubscription {
            connection.perform { $0.unsubscribe(placeSubscription) }
            requestSubscriptions.removeAll { $0 == placeSubscription }
        }
        placeSubscription = renewed
        requestSubscriptions.append(renewed)
    }

    private func answer(_ verb: MicroService.Verb, _ message: NATSMessage) {
        // Clients ask who takes their requests.
        guard let reply = message.inbox, verb != .ping || !isDraining else { return }
        var endpoint = MicroService.Answer.Endpoint(
            subject: Subjects.allRequests(of: options.service), queueGroup: options.service)
        if verb == .stats { endpoint.counts = currentCounts }
        let answer = MicroService.Answer(
            type: verb.type, name: options.service, id: Subjects.token(instance), version: ProductVersion.current,
            metadata: ["instance": instance, "connection": place.connection],
            description: verb == .info ? options.service : nil,
            started: verb == .stats ? RFC3339.text(microseconds: startedAt) : nil,
            endpoints: verb == .ping ? nil : [endpoint])
        guard let bytes = try? JSONBytes.encode(answer) else { return }
        // Without a connection there is no question.
        _ = try? connection.perform { connection throws(NATSError) in try connection.publish(bytes, to: reply) }
    }

    private var currentCounts: MicroService.Answer.Counts {
        var counts = counts
        let failures = tally.failures
        counts.errors = failures.values.reduce(0, +)
        counts.averageProcessingTime = counts.requests == 0 ? 0 : counts.processingTime / Int64(counts.requests)
        counts.data = BrokerStatus.Worker(
            service: options.service, instance: instance, capacity: options.capacity,
            inFlight: open.values.count { $0.startedAt != nil }, served: counts.requests, draining: isDraining,
            registeredSeconds: (clock.now / .milliseconds(1)).rounded() / 1000)
        return counts
    }
}
