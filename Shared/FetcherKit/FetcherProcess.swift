internal import AsyncHTTPClient
public import BoxOffice
public import Contracts
internal import Envelope
internal import Logging
internal import MessageBus
public import ProcessKit
internal import ServiceKit
public import Upstream

/// The life of a fetcher's process: one HTTP client, one worker, until TERM.
///
/// - Parameter folder: where to keep the upstream's answers; nil for the folder that `BOXOFFICE_RECORD` names, if any.
public func runFetcher<Source: Fetcher>(
    broker: String?, record folder: String?, environment: Environment,
    makeSource: (UpstreamRecorder?) throws -> Source
) async throws {
    let process = try ServiceProcess(name: Source.service, environment: environment)
    for file in environment.secretFilesOpenToOthers { process.logger.warning("\(file)") }
    let settings = try FetcherSettings(service: Source.service, environment)
    var breaker = CircuitBreaker.Settings()
    breaker.failures = settings.breakerFailures
    let source: Source
    do {
        let recorder = try (folder ?? environment["BOXOFFICE_RECORD"]).map { folder in
            try UpstreamRecorder(folder: folder) { process.logger.warning("\($0)") }
        }
        source = try makeSource(recorder)
    } catch let error as UpstreamError {
        throw StartupError(error.message, exitStatus: ExitStatus.configuration)
    }
    let client = HTTPClient(
        eventLoopGroupProvider: .singleton,
        configuration: HTTPClientTransport.clientConfiguration(connections: settings.concurrency))
    do {
        try await process.run(broker: broker) { bus in
            let breakers = CircuitBreakers(
                settings: breaker,
                onChange: { change in
                    process.logger.notice(
                        "a circuit breaker has changed",
                        metadata: ["host": "\(change.host)", "state": "\(UpstreamHealth(change).state.rawValue)"])
                    bus.publish(Event(change, source: bus.instance, clock: .system))
                })
            let gate = UpstreamGate(
                HTTPClientTransport(client: client), account: source.account, bus: bus, logger: process.logger,
                breakers: breakers, retry: source.retry, concurrency: settings.concurrency)
            return [
                WorkerService(
                    BusWorkerOptions(service: Source.service, capacity: settings.capacity), bus: bus,
                    logger: process.logger,
                    upstreams: gate.health,
                    handler: source.handler(
                        parts: PartFetcher(bus: bus, retry: source.retry, logger: process.logger), gate: gate))
            ]
        }
    } catch {
        try await client.shutdown()
        throw error
    }
    try await client.shutdown()
}

extension Environment {
    /// The calls that a key has a day, or the default.
    public func callLimit(_ name: String, default fallback: Int) throws -> CallLimit {
        CallLimit(clamping: try number(name, default: fallback, in: CallLimitBounds.allowed))
    }

    /// The API key of that name, from the variable or its file.
    public func apiKey(_ name: String) throws -> APIKey {
        guard let text = try secret(name) else {
            throw StartupError(
                "\(name) is not set. Put the key into \(name), or its file's name into \(name)_FILE; "
                    + "compose/stack up --demo needs none.",
                exitStatus: ExitStatus.configuration)
        }
        do {
            return try APIKey(text)
        } catch let error as UpstreamError {
            throw StartupError("\(name): \(error.message)", exitStatus: ExitStatus.configuration)
        }
    }
}
