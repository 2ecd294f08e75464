import Contracts
import Envelope
import HTTPKit
import HTTPTypes
import Hummingbird
import HummingbirdCore
public import Logging
public import MessageBus
import NIOCore
public import ProcessKit
import ServiceKit
public import ServiceLifecycle

/// The pages of a stack over HTTP. It is a client of the bus, without keys and without a database.
///
/// A graceful shutdown stops intake and lets running answers go out.
public struct WebServer: Service {
    private let responder: WebResponder
    private let configuration: WebConfiguration
    private let stallLimit: Duration
    private let logger: Logger
    private let onReady: @Sendable (String) async throws -> Void

    /// - Parameter onReady: called once, with the base URL, when the server accepts connections.
    public init(
        bus: MessageBus, _ configuration: WebConfiguration, clock: WallClock = .system, logger: Logger,
        onReady: @escaping @Sendable (String) async throws -> Void = { _ in }
    ) {
        self.init(
            bus: bus, configuration, clock: clock, logger: logger, stallLimit: WebTiming.stallLimit,
            onReady: onReady)
    }

    /// - Parameter stallLimit: how long a client may take none of the bytes that are sent to it.
    init(
        bus: MessageBus, _ configuration: WebConfiguration, clock: WallClock, logger: Logger, stallLimit: Duration,
        onReady: @escaping @Sendable (String) async throws -> Void
    ) {
        responder = WebResponder(bus: bus, configuration, clock: clock, logger: logger)
        self.stallLimit = stallLimit
        self.configuration = configuration
        self.logger = logger
        self.onReady = onReady
    }

    /// Of listeners.
    var openStreams: Int { responder.streams.count }

    public func run() async throws {
        do {
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { try await responder.live.run() }
                group.addTask { try await makeApplication().run() }
                // Not waitForAll(), which would continue to serve after a failure of another task.
                while try await group.next() != nil {}
            }
        } catch let error as IOError {
            throw configuration.address.cannotListen(errno: error.errnoCode)
        }
    }

    private var limits: ConnectionLimits {
        ConnectionLimits(
            // Half of the descriptors remain for the bus.
            maxTotal: min(2000, ProcessLimits.descriptors / 2), maxPerAddress: 100, proxies: configuration.proxies,
            idleLimit: .seconds(60), stallLimit: stallLimit)
    }

    func makeApplication() -> some ApplicationProtocol {
        let (proxies, responder) = (configuration.proxies, responder)
        // Hummingbird logs each request at info.
        var quieter = logger
        quieter.logLevel = max(quieter.logLevel, .warning)
        return Application(
            responder: CallbackResponder { (request: Request, context: ConnectionContext) in
                let connection = RequestConnection(context.channel, proxies: proxies)
                let request = WebRequest(request, connection: connection, responder.read)
                return try await responder.respond(to: request).response(to: request)
            },
            server: .http1(configuration: .init(limits)),
            configuration: .init(
                address: .hostname(configuration.address.host, port: configuration.address.port),
                serverName: "boxoffice"),
            onServerRunning: { [onReady, logger, address = configuration.address] channel in
                let url = address.url(port: channel.localAddress?.port)
                logger.notice("listening", metadata: ["web.url": "\(url)"])
                do {
                    try await onReady(url)
                } catch {
                    logger.error("\(error)")
                }
            },
            logger: quieter)
    }
}

/// The context of a request: its connection.
private struct ConnectionContext: RequestContext {
    var coreContext: CoreRequestContextStorage
    let channel: any Channel

    init(source: ApplicationRequestContextSource) {
        coreContext = CoreRequestContextStorage(source: source)
        channel = source.channel
    }
}
