package import MessageBus

/// The names of the broker's management services: RFC 8, and our additions.
public enum ManagementService: String, Sendable, CaseIterable {
    /// Whether a service has a worker.
    case service = "mmi.service"
    /// Cancels a queued request of the same client.
    case cancel = "mmi.cancel"
    case ping = "mmi.ping"
    case info = "mmi.info"
    case services = "mmi.services"
    case workers = "mmi.workers"
    case stats = "mmi.stats"
    case events = "mmi.events"

    /// The reserved prefix of the names.
    package static let prefix = Frame(text: "mmi.")
}
