/// The identity of a process of the stack: the answer to `service.info`, and to `mmi.info` of the broker.
///
/// Every encoded `ServiceStats` decodes as a `ServiceInfo`.
public struct ServiceInfo: Codable, Sendable, Equatable {
    /// The service, for example "detail-fetcher".
    public let name: String
    /// The instance, for example "detail-fetcher/2".
    public let id: String
    /// The product's version, for example "0.1.0".
    public let version: String
    /// The start time, RFC 3339 in UTC.
    public let started: String
    /// Seconds since the start, by the monotonic clock.
    public let uptimeSeconds: Double

    public init(name: String, id: String, version: String, started: String, uptimeSeconds: Double) {
        self.name = name
        self.id = id
        self.version = version
        self.started = started
        self.uptimeSeconds = uptimeSeconds
    }
}
