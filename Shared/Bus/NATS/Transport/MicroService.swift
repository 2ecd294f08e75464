internal import Envelope
internal import MessageBus

/// The messages of the NATS micro protocol (ADR-32), by which a service is found and observed.
enum MicroService {
    enum Verb: String, CaseIterable {
        case ping = "PING"
        case info = "INFO"
        case stats = "STATS"

        var type: String { "io.nats.micro.v1.\(rawValue.lowercased())_response" }

        /// The subject that reaches all instances of the service; those of all services without one.
        func subject(of service: String?) -> String {
            "$SRV.\(rawValue)" + (service.map { ".\(Subjects.token($0))" } ?? "")
        }
    }

    /// The answer to each verb; a ping's has no start and no endpoints, and only that to stats has counters.
    struct Answer: Codable, Sendable {
        struct Endpoint: Codable, Sendable {
            var name = "requests"
            var subject: String
            var queueGroup: String
            var counts: Counts?

            enum CodingKeys: String, CodingKey {
                case name, subject, metadata
                case queueGroup = "queue_group"
            }

            init(subject: String, queueGroup: String, counts: Counts? = nil) {
                self.subject = subject
                self.queueGroup = queueGroup
                self.counts = counts
            }

            init(from decoder: any Decoder) throws {
                let container = try decoder.container(keyedBy: CodingKeys.self)
                name = try container.decode(String.self, forKey: .name)
                subject = try container.decode(String.self, forKey: .subject)
                queueGroup = try container.decodeIfPresent(String.self, forKey: .queueGroup) ?? ""
                counts = try? Counts(from: decoder)
            }

            func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: CodingKeys.self)
                try container.encode(name, forKey: .name)
                try container.encode(subject, forKey: .subject)
                try container.encode(queueGroup, forKey: .queueGroup)
                // Clients expect it although it is empty.
                try container.encode([String: String](), forKey: .metadata)
                try counts?.encode(to: encoder)
            }
        }

        /// Of an endpoint; times in nanoseconds.
        struct Counts: Codable, Sendable {
            var requests = 0
            var errors = 0
            var lastError = ""
            var processingTime: Int64 = 0
            var averageProcessingTime: Int64 = 0
            var data: BrokerStatus.Worker?

            enum CodingKeys: String, CodingKey {
                case requests = "num_requests"
                case errors = "num_errors"
                case lastError = "last_error"
                case processingTime = "processing_time"
                case averageProcessingTime = "average_processing_time"
                case data
            }
        }

        var type: String
        var name: String
        var id: String
        var version: String
        var metadata: [String: String]
        var description: String?
        var started: String?
        var endpoints: [Endpoint]?

        /// Nil for a service of others.
        var place: ServiceDirectory.Place? {
            guard let instance = metadata["instance"], let connection = metadata["connection"] else { return nil }
            return ServiceDirectory.Place(instance: instance, connection: connection)
        }
    }
}
