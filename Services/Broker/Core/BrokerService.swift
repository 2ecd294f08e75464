import Logging
import Majordomo
public import MessageBus
public import ServiceKit
public import ServiceLifecycle
import ZeroMQ

/// A broker on its endpoints for as long as the process runs.
public struct BrokerService: Service {
    private let endpoints: BusEndpoints
    private let clock: WallClock
    private let onReady: @Sendable () async -> Void

    /// - Parameter onReady: called once all doors are open.
    public init(
        endpoints: BusEndpoints, clock: WallClock = .system, onReady: @escaping @Sendable () async -> Void = {}
    ) {
        self.endpoints = endpoints
        self.clock = clock
        self.onReady = onReady
    }

    public func run() async throws {
        try await withContext { context in
            let broker = try Broker(
                context: context, timing: MajordomoTiming(), epoch: .random(in: 1 ... .max), clock: clock)
            do {
                try await broker.bind(endpoints)
                await onReady()
                try await cancelWhenGracefulShutdown { try await broker.run() }
            } catch {
                await broker.close()
                throw error
            }
            await broker.close()
        }
    }
}

/// A broker in a run folder that it prepares and locks.
public func runBroker(in folder: RunFolder, _ process: ServiceProcess) async throws {
    try folder.prepare()
    let lock = try BrokerLock(file: folder.lockFile)
    defer { withExtendedLifetime(lock) {} }
    let logger = process.logger
    try await process.run([
        BrokerService(endpoints: folder.endpoints()) {
            logger.notice("the broker is ready", metadata: ["run.folder": "\(folder.path)"])
        }
    ])
}
