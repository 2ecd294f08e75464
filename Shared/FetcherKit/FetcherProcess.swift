internal import AsyncHTTPClient
internal import MessageBus
public import ServiceKit
public import Upstream

/// What a fetcher's logic is made from.
public struct FetcherParts: Sendable {
    public let parts: PartFetcher
    public let transport: any UpstreamTransport
    public let clock: WallClock

    public init(parts: PartFetcher, transport: any UpstreamTransport, clock: WallClock) {
        self.parts = parts
        self.transport = transport
        self.clock = clock
    }
}

/// The life of a fetcher's process: one HTTP client, one worker, until TERM.
public func runFetcher(
    _ service: String, broker: String?, environment: Environment = .process,
    make: (Environment, FetcherParts) throws -> WorkerService.Handler
) async throws {
    let process = ServiceProcess(name: service, environment: environment)
    let capacity = try environment.number("BOXOFFICE_CAPACITY", default: 32, in: 1...1000)
    let client = HTTPClient(
        eventLoopGroupProvider: .singleton, configuration: HTTPClientTransport.clientConfiguration)
    do {
        try await process.run(broker: broker) { bus in
            let parts = FetcherParts(
                parts: PartFetcher(bus: bus, logger: process.logger), transport: HTTPClientTransport(client: client),
                clock: .system)
            return [
                WorkerService(
                    BusWorkerOptions(service: service, capacity: capacity), bus: bus, logger: process.logger,
                    handler: try make(environment, parts))
            ]
        }
    } catch {
        try await client.shutdown()
        throw error
    }
    try await client.shutdown()
}

extension Environment {
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
