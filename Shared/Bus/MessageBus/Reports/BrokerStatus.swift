/// The workers of the bus, and the status of the broker (`mmi.workers`).
public struct BrokerStatus: Codable, Sendable, Equatable {
    public struct Worker: Codable, Sendable, Equatable {
        public let service: String
        public let instance: String
        public let capacity: Int
        public let inFlight: Int
        public let served: Int
        public let draining: Bool
        public let registeredSeconds: Double

        public init(
            service: String, instance: String, capacity: Int, inFlight: Int, served: Int, draining: Bool,
            registeredSeconds: Double
        ) {
            self.service = service
            self.instance = instance
            self.capacity = capacity
            self.inFlight = inFlight
            self.served = served
            self.draining = draining
            self.registeredSeconds = registeredSeconds
        }
    }

    /// A worker that the broker removed because it was silent, and whose connection is still open.
    public struct SilentWorker: Codable, Sendable, Equatable {
        public let service: String
        public let instance: String
        public let silentSeconds: Double

        public init(service: String, instance: String, silentSeconds: Double) {
            self.service = service
            self.instance = instance
            self.silentSeconds = silentSeconds
        }
    }

    public struct Broker: Codable, Sendable, Equatable {
        public let upSeconds: Double
        public let requests: Int
        public let answered: Int
        public let redeliveries: Int
        public let queued: Int
        public let inFlight: Int
        /// By refusal code and by drop reason.
        public let refused: [String: Int]
        public let dropped: [String: Int]
        /// Events in the stream since the broker started.
        public let events: Int
        /// The current connections of its sockets.
        public let connections: Int
        /// Connections that the broker has closed, by reason.
        public let endedConnections: [String: Int]

        public init(
            upSeconds: Double, requests: Int, answered: Int, redeliveries: Int, queued: Int, inFlight: Int,
            refused: [String: Int], dropped: [String: Int], events: Int, connections: Int,
            endedConnections: [String: Int]
        ) {
            self.upSeconds = upSeconds
            self.requests = requests
            self.answered = answered
            self.redeliveries = redeliveries
            self.queued = queued
            self.inFlight = inFlight
            self.refused = refused
            self.dropped = dropped
            self.events = events
            self.connections = connections
            self.endedConnections = endedConnections
        }
    }

    public let workers: [Worker]
    public let silentWorkers: [SilentWorker]
    /// Null when the bus has no broker of ours.
    public let broker: Broker?

    public init(workers: [Worker], silentWorkers: [SilentWorker], broker: Broker?) {
        self.workers = workers
        self.silentWorkers = silentWorkers
        self.broker = broker
    }

    /// Encodes every key; an unknown value is an explicit null.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(workers, forKey: .workers)
        try container.encode(silentWorkers, forKey: .silentWorkers)
        try container.encode(broker, forKey: .broker)
    }
}

/// The broker's counters: its own, those of each service, and those of received messages.
public struct BrokerFigures: Sendable {
    public let broker: ServiceStats
    public let services: [ServiceTraffic]
    public let messages: MessageCounts

    package init(broker: ServiceStats, services: [ServiceTraffic], messages: MessageCounts) {
        self.broker = broker
        self.services = services
        self.messages = messages
    }
}

/// The number of messages that the broker received, each counted once (`mmi.stats`, third frame).
public struct MessageCounts: Codable, Sendable, Equatable {
    /// By the decoder branch that accepted the message.
    public let received: [String: Int]
    /// By the fault of the message; all of these are also counted as dropped by the broker.
    public let faults: [String: Int]

    public init(received: [String: Int], faults: [String: Int]) {
        self.received = received
        self.faults = faults
    }
}
