internal import Envelope

/// The API of JetStream over our own connection: the calls of libnats would block the loop.
struct JetStream: Sendable {
    /// The value, or an error in place of it.
    struct Answer<Value: Decodable>: Decodable {
        struct Problem: Decodable {
            let code: Int
            let errorCode: Int?
            let description: String?

            enum CodingKeys: String, CodingKey {
                case code, description
                case errorCode = "err_code"
            }
        }

        let error: Problem?
        let value: Value?

        enum CodingKeys: CodingKey { case error }

        init(from decoder: any Decoder) throws {
            error = try decoder.container(keyedBy: CodingKeys.self).decodeIfPresent(Problem.self, forKey: .error)
            value = error == nil ? try Value(from: decoder) : nil
        }
    }

    struct Nothing: Codable {}

    /// The codes of two refusals: fewer servers than copies, and a server that is in no cluster.
    private static let (noSuitablePeers, noCluster) = (10_005, 10_074)
    private static let unavailable = 503

    let connection: NATSConnection

    /// Asks the API, again after each silence: a question that arrives while the servers elect a leader is not answered, or
    /// answered with "unavailable".
    ///
    /// - Throws: `Failure` when it does not answer.
    func ask<Value: Decodable>(
        _ subject: String, _ question: some Encodable, _: Value.Type, until deadline: ContinuousClock.Instant
    ) async throws -> Answer<Value> {
        let bytes = try JSONBytes.encode(question)
        while true {
            do {
                let limit = min(deadline, .now + NATSTiming.jetStreamSilence)
                let answer: Answer<Value> = try await send(bytes, to: "$JS.API.\(subject)", until: limit)
                if answer.error?.code != Self.unavailable || deadline <= .now { return answer }
            } catch {
                let isTimeLeft = ContinuousClock.now < deadline && !Task.isCancelled
                guard isTimeLeft, (error as? Failure)?.code != .forbidden else { throw error }
            }
            try await Task.sleep(for: NATSTiming.readinessPause)
        }
    }

    /// Sends a message whose receipt JetStream confirms or refuses.
    ///
    /// - Throws: `Failure` when it does not answer.
    func send<Value: Decodable>(
        _ bytes: [UInt8], to subject: String, headers: [(name: String, value: String)] = [],
        until deadline: ContinuousClock.Instant
    ) async throws -> Answer<Value> {
        do throws(NATSError) {
            let answers = try await connection.ask(subject, bytes, headers: headers, until: deadline)
            if let answer = try? JSONBytes.decode(Answer<Value>.self, from: answers.first?.data ?? []) { return answer }
        } catch {
            throw error.code == .notPermitted ? Failure.notPermitted(subject) : .noJetStream(error.description)
        }
        throw Failure.noJetStream("an unreadable answer to \(subject)")
    }

    /// Makes a stream unless there is one of its name.
    ///
    /// Nothing else may be asked of a stream before: nats-server 2.9 ends when it reads from one that is still being made.
    ///
    /// - Throws: `Failure` when JetStream does not answer or refuses.
    func makeStream<Value: Decodable>(
        _ configuration: StreamConfiguration, _: Value.Type, until deadline: ContinuousClock.Instant
    ) async throws -> Value {
        while true {
            let stream = try await findOrMake(configuration, Value.self, until: deadline)
            if stream.isComplete { return stream.value }
            guard .now < deadline else {
                throw Failure.noJetStream("the stream \(configuration.name) is still being made")
            }
            // The servers send nothing when the store is made.
            try await Task.sleep(for: NATSTiming.readinessPause)
        }
    }

    private func findOrMake<Value: Decodable>(
        _ configuration: StreamConfiguration, _: Value.Type, until deadline: ContinuousClock.Instant
    ) async throws -> Stream<Value> {
        let name = configuration.name
        if let stream = try await find(configuration, Value.self, until: deadline) { return stream }
        let made: Answer<Stream<Value>>
        do {
            made = try await make(configuration, Value.self, until: deadline)
        } catch let failure as Failure where failure.code == .forbidden {
            // A client may not make it; a worker does when it begins.
            while ContinuousClock.now < deadline {
                try await Task.sleep(until: min(deadline, .now + NATSTiming.jetStreamSilence))
                if let stream = try await find(configuration, Value.self, until: deadline) { return stream }
            }
            throw Failure.noJetStream("no worker has made the stream \(name) yet")
        }
        if let stream = made.value { return stream }
        // Another process has just made it.
        if let stream = try await find(configuration, Value.self, until: deadline) { return stream }
        throw Failure.noJetStream("the stream \(name) cannot be made: \(made.error?.description ?? "no reason")")
    }

    /// Nil when there is none.
    private func find<Value: Decodable>(
        _ configuration: StreamConfiguration, _: Value.Type, until deadline: ContinuousClock.Instant
    ) async throws -> Stream<Value>? {
        let info = try await ask("STREAM.INFO.\(configuration.name)", Nothing(), Stream<Value>.self, until: deadline)
        guard let found = info.value else {
            if info.error?.code == 404 { return nil }
            throw Failure.noJetStream(info.error?.description)
        }
        // One that takes in more would show everybody what is not for everybody.
        guard found.config.isOrdinary, found.config.subjects == configuration.subjects else {
            throw Failure.noJetStream("the stream \(configuration.name) has another configuration; delete it")
        }
        return found
    }

    private func make<Value: Decodable>(
        _ configuration: StreamConfiguration, _: Value.Type, until deadline: ContinuousClock.Instant
    ) async throws -> Answer<Stream<Value>> {
        let name = configuration.name
        var configuration = configuration
        // On three servers a stream survives the loss of one.
        configuration.num_replicas = 3
        var made = try await ask("STREAM.CREATE.\(name)", configuration, Stream<Value>.self, until: deadline)
        while made.error?.errorCode == Self.noSuitablePeers, .now < deadline {
            // Servers that have just started do not know each other yet. Fewer copies would stay fewer.
            try await Task.sleep(for: NATSTiming.readinessPause)
            made = try await ask("STREAM.CREATE.\(name)", configuration, Stream<Value>.self, until: deadline)
        }
        guard made.error?.errorCode == Self.noCluster else { return made }
        configuration.num_replicas = 1
        return try await ask("STREAM.CREATE.\(name)", configuration, Stream<Value>.self, until: deadline)
    }

    private struct Stream<Value: Decodable>: Decodable {
        struct Configuration: Decodable {
            let subjects: [String]?
            let isOrdinary: Bool

            private enum CodingKeys: CodingKey { case subjects, sources, mirror, republish }

            init(from decoder: any Decoder) throws {
                let container = try decoder.container(keyedBy: CodingKeys.self)
                subjects = try container.decodeIfPresent([String].self, forKey: .subjects)
                isOrdinary = ![.sources, .mirror, .republish].contains { container.contains($0) }
            }
        }

        /// The date of a stream that the server has listed, and whose store it has not made yet.
        private static var noDate: String { "0001-01-01T00:00:00Z" }

        let config: Configuration
        let isComplete: Bool
        let value: Value

        private enum CodingKeys: CodingKey { case config, created }

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            config = try container.decode(Configuration.self, forKey: .config)
            isComplete = try container.decode(String.self, forKey: .created) != Self.noDate
            value = try Value(from: decoder)
        }
    }

    /// As JetStream names its fields; times in nanoseconds.
    struct StreamConfiguration: Encodable {
        var name: String
        var subjects: [String]
        var retention = "limits"
        /// In memory, a stream whose servers all restart within seconds may never have a leader again.
        var storage = "file"
        var discard = "old"
        var max_bytes: Int
        var max_age: Int
        var max_msg_size: Int32
        var max_msgs_per_subject: Int?
        var duplicate_window: Int?
        /// Readers at a time. The servers keep one whose process was killed for a while, and each takes 70 KB of theirs.
        var max_consumers: Int
        var num_replicas = 1
    }
}
