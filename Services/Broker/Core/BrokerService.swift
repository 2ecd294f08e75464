public import BusSettings
import Localization
import Logging
public import Majordomo
import MessageBus
public import ProcessKit
public import ServiceKit
public import ServiceLifecycle
import ZeroMQ

/// Runs a broker on its endpoints until shutdown.
public struct BrokerService: Service {
    private let endpoints: BrokerEndpoints
    private let network: NetworkListener?
    private let timing: MajordomoTiming
    private let clock: WallClock
    private let maxConnections: Int
    private let onReady: @Sendable () async -> Void

    /// Half of the descriptors that the process may open, bounded by its memory: a connection takes 66 KB.
    public static var usualMaxConnections: Int { min(ProcessLimits.descriptors / 2, 4096) }

    /// - Parameters:
    ///   - network: further endpoints, for other machines.
    ///   - maxConnections: the number of connections above which some are ended.
    ///   - onReady: called once all endpoints are bound.
    public init(
        endpoints: BrokerEndpoints, network: NetworkListener? = nil, timing: MajordomoTiming = MajordomoTiming(),
        clock: WallClock = .system, maxConnections: Int = Self.usualMaxConnections,
        onReady: @escaping @Sendable () async -> Void = {}
    ) {
        self.endpoints = endpoints
        self.network = network
        self.timing = timing
        self.clock = clock
        self.maxConnections = maxConnections
        self.onReady = onReady
    }

    public func run() async throws {
        try await withContext { context in
            let broker = try Broker(
                context: context, timing: timing, epoch: .random(in: 1 ... .max), clock: clock,
                maxConnections: maxConnections)
            let authenticator = try network?.makeAuthenticator(of: broker, in: context, clock: clock)
            do {
                try await open(broker, authenticator)
                await onReady()
                try await cancelWhenGracefulShutdown {
                    try await withThrowingTaskGroup(of: Void.self) { group in
                        group.addTask { try await broker.run() }
                        if let authenticator { group.addTask { try await authenticator.run() } }
                        while try await group.next() != nil {}
                    }
                }
            } catch {
                await broker.close()
                await authenticator?.close()
                throw error
            }
            await broker.close()
            await authenticator?.close()
        }
    }

    private func open(_ broker: Broker, _ authenticator: ZAPAuthenticator?) async throws {
        try await broker.open { await authenticator?.report($0) }
        try await broker.bind(endpoints)
        try await authenticator?.open()
        guard let network else { return }
        do {
            try await broker.bind(network.endpoints, options: network.options)
        } catch let error as ZeroMQError {
            throw StartupError(
                LocalizedText(
                    ko: "\(error). 브로커는 이 포트와 다음 두 포트를 사용합니다. --bind로 다른 주소를 지정하세요.",
                    en: "\(error). The broker needs this port and the two after it; choose another address with --bind."
                ),
                exitStatus: ExitStatus.unavailable)
        }
    }
}

/// 1.5 times the sum of the bounds of ledger, replies and events. An endless message over a unix socket is not detected
/// otherwise: at this bound the broker ends, and its supervisor restarts it.
private let maxMemory = 1 << 30

/// A broker in a run folder that it prepares and locks.
public func runBroker(in folder: RunFolder, network: NetworkListener? = nil, _ process: ServiceProcess) async throws {
    try folder.prepare()
    let lock = try lock(folder)
    // The lock is released last: until then no other broker can have made its sockets here.
    defer { withExtendedLifetime(lock) { folder.removeSockets() } }
    let logger = process.logger
    ProcessLimits.boundMemory(to: maxMemory)
    try await process.run([
        LockWatch(lock: lock),
        BrokerService(endpoints: folder.endpoints(), network: network) {
            logger.notice("the broker is ready", metadata: ["run.folder": "\(folder.path)"])
            ServiceManager.notifyReady(process.environment)
        },
    ])
}

/// Excludes a second broker from a run folder: binding an ipc path twice would succeed and take it over.
private func lock(_ folder: RunFolder) throws -> FileLock {
    let file = folder.lockFile
    do {
        return try FileLock(path: file)
    } catch FileLock.Failure.isHeld(let holder) {
        throw StartupError(
            LocalizedText(
                ko: "이 디렉터리에서 브로커가 이미 실행 중입니다(프로세스 \(holder), 잠금 파일 \(file)). "
                    + "종료하거나(\(Installation.stack("down"))) BOXOFFICE_RUN에 다른 디렉터리를 정하세요.",
                en: "A broker is running here already (process \(holder), lock \(file)). "
                    + "Stop it (\(Installation.stack("down"))), or set BOXOFFICE_RUN to another directory."),
            exitStatus: ExitStatus.unavailable)
    } catch FileLock.Failure.cannotOpen(let reason) {
        throw StartupError(
            LocalizedText(
                ko: "잠금 파일 \(file.with(.object)) 열 수 없습니다: \(reason). BOXOFFICE_RUN에 다른 디렉터리를 정하세요.",
                en: "The lock file \(file) cannot be opened: \(reason). Set BOXOFFICE_RUN to another directory."),
            exitStatus: ExitStatus.inputOutput)
    }
}

/// Ends the process when the file of the lock is gone or replaced: then another broker may have begun in the folder, and
/// the sockets there are that one's.
private struct LockWatch: Service {
    let lock: FileLock

    func run() async throws {
        await cancelWhenGracefulShutdown { await lock.awaitLoss() }
        guard !lock.isInPlace else { return }
        ServiceProcess.fail(
            "The lock file \(lock.path) was deleted or replaced, so that another broker may run in its folder. This one "
                + "ends, and leaves what is in the folder.", exitStatus: ExitStatus.unavailable)
    }
}
