public import MessageBus
public import ProcessKit

/// The identity of a process, fixed at its start.
public struct ServiceIdentity: Sendable {
    private let name: String
    private let id: String
    private let started: Int64
    private let start: ContinuousClock.Instant

    /// - Parameters:
    ///   - name: The service, for example "detail-fetcher".
    ///   - id: The instance, for example "detail-fetcher/2".
    ///   - clock: The clock for the start time, which is now.
    public init(name: String, id: String, clock: WallClock, start: ContinuousClock.Instant = .now) {
        self.name = name
        self.id = id
        self.start = start
        started = clock.microseconds
    }

    public func info(at now: ContinuousClock.Instant = .now) -> ServiceInfo {
        let milliseconds = ((now - start) / .milliseconds(1)).rounded()
        return ServiceInfo(
            name: name, id: id, version: ProductVersion.current, started: RFC3339.text(microseconds: started),
            uptimeSeconds: milliseconds / 1000)
    }
}
