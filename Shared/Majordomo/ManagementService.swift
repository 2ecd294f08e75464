/// The names under which the broker answers questions about itself: RFC 8, and ours beside it.
public enum ManagementService: String, Sendable, CaseIterable {
    /// Whether a service has a worker.
    case service = "mmi.service"
    /// Takes back a queued request of the same client.
    case cancel = "mmi.cancel"
    case ping = "mmi.ping"
    case info = "mmi.info"
    case services = "mmi.services"
    case workers = "mmi.workers"
    case stats = "mmi.stats"
    case events = "mmi.events"

    /// What no other service's name may begin with.
    static let prefix = Frame(text: "mmi.")
}
