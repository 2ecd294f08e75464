import AsyncHTTPClient
import HTTPKit
import Hummingbird
import HummingbirdCore
public import Logging
public import MessageBus
import NIOCore
import NIOPosix
public import ProcessKit
import ServiceKit
public import ServiceLifecycle

/// Metrics of a stack at `/metrics`, and its traces for a receiver of OpenTelemetry.
///
/// It reads the events, and asks processes for their counters only when it is asked: nothing waits for it.
public struct ExporterServer: Service {
    private static let limits = ConnectionLimits(maxTotal: 32, maxPerAddress: 32, idleLimit: .seconds(10))

    private let configuration: ExporterConfiguration
    private let source: MetricsSource
    private let observations: Observations
    private let bus: MessageBus
    private let logger: Logger
    private let onReady: @Sendable (String) async throws -> Void

    /// - Parameter onReady: called once, with the base URL, when the server accepts connections.
    public init(
        bus: MessageBus, _ configuration: ExporterConfiguration, clock: WallClock = .system, logger: Logger,
        onReady: @escaping @Sendable (String) async throws -> Void = { _ in }
    ) {
        self.bus = bus
        self.configuration = configuration
        self.logger = logger
        self.onReady = onReady
        observations = Observations(sendsSpans: configuration.traces != nil)
        source = MetricsSource(bus: bus, observations: observations, clock: clock)
    }

    public func run() async throws {
        if let warning = configuration.warning { logger.warning("\(warning)") }
        do {
            try await withThrowingTaskGroup(of: Void.self) { group in
                // On the loop that receives the events: elsewhere each event would change the thread twice.
                group.addTask(executorPreference: bus.executor) {
                    try await EventReader(bus: bus, observations: observations, logger: logger).run()
                }
                if let traces = configuration.traces { group.addTask { try await send(to: traces) } }
                group.addTask { try await makeApplication().run() }
                // Not waitForAll(), which would continue to serve after a failure of another task.
                while try await group.next() != nil {}
            }
        } catch let error as IOError {
            throw configuration.address.cannotListen(errno: error.errnoCode)
        }
    }

    private func send(to endpoint: TraceEndpoint) async throws {
        var options = HTTPClient.Configuration()
        options.redirectConfiguration = .disallow
        // By default a refused connection is retried until the deadline, and the refusal is not reported.
        options.connectionPool.retryConnectionEstablishment = false
        let client = HTTPClient(eventLoopGroup: .singletonMultiThreadedEventLoopGroup, configuration: options)
        await TraceSender(endpoint: endpoint, observations: observations, client: client, logger: logger).run()
        try await client.shutdown()
    }

    private func makeApplication() -> some ApplicationProtocol {
        let responder = ExporterResponder(allowedHosts: configuration.allowedHosts) { [source] in await source.text() }
        // Hummingbird logs each request at info.
        var quieter = logger
        quieter.logLevel = max(quieter.logLevel, .warning)
        return Application(
            responder: CallbackResponder { (request: Request, _: BasicRequestContext) in
                await responder.respond(
                    request.method, RequestTarget(request.head.path ?? "/", host: request.head.authority))
            },
            server: .http1(configuration: .init(Self.limits)),
            configuration: .init(
                address: .hostname(configuration.address.host, port: configuration.address.port),
                serverName: "boxoffice-exporter"),
            onServerRunning: { [onReady, logger, address = configuration.address] channel in
                let url = address.url(port: channel.localAddress?.port)
                logger.notice("listening", metadata: ["metrics.url": "\(url)/metrics"])
                do {
                    try await onReady(url)
                } catch {
                    logger.error("\(error)")
                }
            },
            logger: quieter)
    }
}
