import ArchiveCore
public import AsyncHTTPClient
import CacheStoreCore
import ChartFetcherCore
public import Contracts
import DemoUpstreamCore
import DetailFetcherCore
public import Domain
import Envelope
import FetcherKit
import Logging
public import MessageBus
import PosterResolverCore
public import ProcessKit
import ServiceKit
import ServiceLifecycle
import Synchronization
public import Upstream

/// Broker, cache-store, fetchers and demo-upstream in one process, on real sockets, for one test.
public struct StackScene: Sendable {
    public static let key = "0123456789abcdef0123456789abcdef"

    public let bus: MessageBus
    /// The run folder, with the broker's sockets.
    public let folder: String
    /// The demo upstream: "http://127.0.0.1:PORT".
    public let upstream: String
    public let client: HTTPClient
    /// The seconds by which the cache's clock is ahead.
    public let ahead: AdjustableClock
    private let scene: BusScene

    /// The demo's clock stands at 2026-01-01 09:00 KST; it answers with the fixtures where there is one.
    ///
    /// - Parameters:
    ///   - hasBreakers: false when an upstream's failures must not stop later calls.
    ///   - chartFetchers: several fetchers have separate breakers and in-flight fetches.
    ///   - isArchiveLooking: whether the archive fetches charts that nobody asks for.
    ///   - start: the fixed Unix time in seconds of all clocks; nil for the system's time, except for the demo.
    ///   - kobisLimit: calls a day.
    ///   - delay: seconds by which the demo's clock is then behind the others: how much later it publishes.
    public static func run(
        hasCache: Bool = true, hasArchive: Bool = false, isArchiveLooking: Bool = false, hasBreakers: Bool = true,
        retry: UpstreamRetry = UpstreamRetry(), chartFetchers: Int = 2,
        from start: Double? = nil, kobisLimit: CallLimit = 3_000,
        upstreamDelay delay: Double = 0,
        _ body: (StackScene) async throws -> Void
    ) async throws {
        let shift = AdjustableClock(from: start)
        var demo = DemoUpstreamConfiguration()
        demo.recordings = try RecordingOverlay.load(from: Fixtures.recordings)
        try await DemoUpstream.withServer(
            configuration: demo, clock: { start == nil ? 1_767_225_600 : shift.clock.now() - delay }
        ) { upstream in
            try await BusScene.run { scene in
                try await scene.withBroker {
                    let client = HTTPClient(
                        eventLoopGroupProvider: .singleton, configuration: HTTPClientTransport.clientConfiguration())
                    let kobis = UpstreamAccess(
                        key: try APIKey(key), baseURL: "\(upstream)/kobisopenapi/webservice/rest/",
                        dailyLimit: kobisLimit,
                        retry: retry)
                    let kakao = UpstreamAccess(
                        key: try APIKey(key), baseURL: "\(upstream)/", dailyLimit: 30_000, retry: retry)
                    let charts = try ChartFetcher(kobis, clock: start == nil ? .system : shift.clock)
                    let details = try DetailFetcher(kobis)
                    let posters = try PosterResolver(kakao)
                    try await withThrowingTaskGroup(of: Void.self) { group in
                        if hasCache { group.addTask { try await serveCache(scene, shift) } }
                        if hasArchive { group.addTask { try await serveArchive(scene, isArchiveLooking, shift) } }
                        for number in 1...chartFetchers {
                            group.addTask {
                                try await serve(charts, scene, "chart-fetcher/\(number)", client, hasBreakers)
                            }
                        }
                        group.addTask { try await serve(details, scene, "detail-fetcher/1", client, hasBreakers) }
                        group.addTask { try await serve(posters, scene, "poster-resolver/1", client, hasBreakers) }
                        try await scene.withBus("client/1") { bus in
                            let services = [
                                ServiceName.chartFetcher, ServiceName.detailFetcher, ServiceName.posterResolver,
                            ]
                            let databases =
                                (hasCache ? [ServiceName.cacheStore] : []) + (hasArchive ? [ServiceName.archive] : [])
                            for service in services + databases { try await bus.awaitService(service) }
                            try await body(
                                StackScene(
                                    bus: bus, folder: scene.folder, upstream: upstream, client: client, ahead: shift,
                                    scene: scene))
                        }
                        group.cancelAll()
                    }
                    try await client.shutdown()
                }
            }
        }
    }

    /// Runs another process of the stack.
    public func withBus(_ instance: String, _ body: (MessageBus) async throws -> Void) async throws {
        try await scene.withBus(instance, body)
    }

    private static func serveCache(_ scene: BusScene, _ shift: AdjustableClock) async throws {
        try await scene.withBus("cache-store/1") { bus in
            try await CacheStoreService(
                bus: bus, folder: "\(scene.folder)/cache", clock: shift.clock, logger: Logger(label: "test")
            ).run()
        }
    }

    private static func serveArchive(_ scene: BusScene, _ isLooking: Bool, _ shift: AdjustableClock) async throws {
        try await scene.withBus("archive/1") { bus in
            try await ArchiveService(
                bus: bus, folder: "\(scene.folder)/data", isLooking: isLooking, clock: shift.clock,
                logger: Logger(label: "test")
            ).run()
        }
    }

    private static func serve(
        _ source: some Fetcher, _ scene: BusScene, _ instance: String, _ client: HTTPClient, _ hasBreakers: Bool
    ) async throws {
        try await scene.withBus(instance) { bus in
            let logger = Logger(label: "test")
            var breaker = CircuitBreaker.Settings()
            if !hasBreakers { breaker.failures = 0 }
            let gate = UpstreamGate(
                HTTPClientTransport(client: client), account: source.account, bus: bus, logger: logger,
                breakers: CircuitBreakers(settings: breaker),
                retry: source.retry, concurrency: 16)
            try await WorkerService(
                BusWorkerOptions(service: type(of: source).service, capacity: 32), bus: bus, logger: logger,
                upstreams: gate.health,
                handler: source.handler(parts: PartFetcher(bus: bus, retry: source.retry, logger: logger), gate: gate)
            ).run()
        }
    }
}

/// A wall clock that a test moves.
public final class AdjustableClock: Sendable {
    private let seconds = Mutex(0.0)
    private let start: Double?

    /// - Parameter start: Unix time in seconds at which it stands until it is moved; nil for the system's time.
    public init(from start: Double? = nil) {
        self.start = start
    }

    public var clock: WallClock {
        WallClock { (self.start ?? WallClock.system.now()) + self.seconds.withLock { $0 } }
    }

    public func advance(_ seconds: Double) {
        self.seconds.withLock { $0 += seconds }
    }
}
