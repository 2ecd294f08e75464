/// The requests that every service answers, with an empty payload.
public enum ServiceRequest {
    /// For checks of availability and latency.
    public static let pingKind = "service.ping"
    /// Answered with a `ServiceInfo`.
    public static let infoKind = "service.info"
    /// Answered with a `ServiceStats`.
    public static let statsKind = "service.stats"
    public static let kinds = [pingKind, infoKind, statsKind]
}
