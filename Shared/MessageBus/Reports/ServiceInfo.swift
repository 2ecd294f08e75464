/// Who a process of the stack is: the answer to `service.info`, and of the broker to `mmi.info`.
///
/// Every `ServiceStats` can be read as one.
public struct ServiceInfo: Codable, Sendable, Equatable {
    /// The service, as "detail-fetcher".
    public let name: String
    /// The instance, as "detail-fetcher/2".
    public let id: String
    /// The product's version, as "0.1.0".
    public let version: String
    /// When it began, RFC 3339 in UTC.
    public let started: String
    /// How long ago that was by its monotonic clock, in seconds.
    public let uptimeSeconds: Double

    public init(name: String, id: String, version: String, started: String, uptimeSeconds: Double) {
        self.name = name
        self.id = id
        self.version = version
        self.started = started
        self.uptimeSeconds = uptimeSeconds
    }
}
