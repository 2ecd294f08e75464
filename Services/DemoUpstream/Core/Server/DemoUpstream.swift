import Domain
import Hummingbird
public import Logging
import NIOCore
public import ServiceLifecycle

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A loopback server that answers as KOBIS and Kakao do, with demo data; it needs no network and no real key.
///
/// It listens on 127.0.0.1 only. A graceful shutdown stops intake, cuts waiting latencies short and lets running answers
/// go out; cancellation closes all connections.
public struct DemoUpstream: Service {
    /// The time of this machine, in Unix seconds.
    public static let wallClock: @Sendable () -> Double = { Date().timeIntervalSince1970 }

    private let configuration: DemoUpstreamConfiguration
    private let clock: @Sendable () -> Double
    private let logger: Logger
    private let onReady: @Sendable (String) async throws -> Void

    /// - Parameters:
    ///   - clock: Unix time in seconds; decides which days are published.
    ///   - onReady: called once, with the base URL, when the server accepts connections. An error that it throws ends
    ///     the service.
    public init(
        configuration: DemoUpstreamConfiguration = .init(),
        clock: @escaping @Sendable () -> Double = wallClock,
        logger: Logger,
        onReady: @escaping @Sendable (String) async throws -> Void = { _ in }
    ) {
        self.configuration = configuration
        self.clock = clock
        self.logger = logger
        self.onReady = onReady
    }

    public func run() async throws {
        let (addresses, listening) = AsyncStream.makeStream(of: String.self, bufferingPolicy: .bufferingNewest(1))
        let server = Application(
            router: makeRouter().makeRouter(),
            configuration: .init(
                address: .hostname("127.0.0.1", port: configuration.port), serverName: "demo-upstream"),
            onServerRunning: { channel in
                listening.yield("http://127.0.0.1:\(channel.localAddress?.port ?? 0)")
                listening.finish()
            },
            logger: serverLogger)
        try await withThrowingTaskGroup(of: Void.self) { tasks in
            tasks.addTask {
                // If the server never listens, the other task must not wait forever.
                defer { listening.finish() }
                do {
                    try await server.run()
                } catch let error as IOError {
                    throw DemoUpstreamError.cannotListen(port: configuration.port, reason: "\(error)")
                }
            }
            tasks.addTask {
                for await address in addresses {
                    logger.info("listening", metadata: ["demo.url": "\(address)"])
                    try await onReady(address)
                }
            }
            // Not waitForAll(), which would continue to serve after a failure of the other task.
            for try await _ in tasks {}
        }
    }

    /// Hummingbird logs each connection at info; here only errors are of interest.
    private var serverLogger: Logger {
        var quieter = logger
        if quieter.logLevel > .debug { quieter.logLevel = max(quieter.logLevel, .warning) }
        return quieter
    }

    private func makeRouter() -> UpstreamRouter {
        let world = DemoWorld(seed: configuration.seed)
        let catalog = DemoFilmCatalog.make(of: world, through: .inSeoul(secondsSinceEpoch: clock()))
        let recordings = configuration.recordings
        return UpstreamRouter(
            kobis: DemoKobis(world: world, catalog: catalog, recordings: recordings, clock: clock),
            kakao: DemoKakao(world: world, catalog: catalog, recordings: recordings),
            seed: configuration.seed,
            calls: UpstreamCalls(counter: CallCounter(), conditions: UpstreamConditions(configuration: configuration)))
    }
}
