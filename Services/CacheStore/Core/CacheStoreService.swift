import CacheStoreMachine
import Contracts
import Envelope
public import Logging
public import MessageBus
public import ProcessKit
import ServiceKit
public import ServiceLifecycle
import Storage

/// Runs cache-store until shutdown: one worker of its service, a store on disk, a table of leases.
public struct CacheStoreService: Service {
    /// Requests that it handles at a time; half of them may wait for a lease.
    static let capacity = ServiceDescription.named(ServiceName.cacheStore)?.capacity ?? 256

    private let bus: MessageBus
    private let folder: String
    private let keepsImages: Bool
    private let clock: WallClock
    private let logger: Logger

    /// - Parameters:
    ///   - folder: the folder of `cache.sqlite` and `state.sqlite`; created if it is missing.
    ///   - keepsImages: whether images are stored on disk, too; a search engine's terms may forbid it.
    public init(
        bus: MessageBus, folder: String, keepsImages: Bool = false, clock: WallClock = .system, logger: Logger
    ) {
        self.bus = bus
        self.folder = folder
        self.keepsImages = keepsImages
        self.clock = clock
        self.logger = logger
    }

    public func run() async throws {
        do {
            try await serve()
        } catch let error as StorageError where error.needsOperator {
            throw DataFolder.Description.cache.startupError(error)
        }
    }

    private func serve() async throws {
        let lock = DataFolder(folder, .cache, logger: logger)
        let (bus, clock) = (bus, clock)
        let store = try await TieredStore.open(
            StorageConfiguration(
                disk: DiskTierConfiguration(folder: folder),
                memoryOnlyKinds: keepsImages ? [] : [PosterImageRequest.kind]),
            lock: lock, logger: logger, wallClock: { clock.milliseconds },
            onDamage: { key in
                bus.publish(
                    Event(
                        at: clock.microseconds, kind: EventKind.entryDamaged, source: bus.instance,
                        attributes: ["key": .text(key)]))
            })
        let state = StateConnection(folder: folder, lock: lock, logger: logger, wallClock: { clock.milliseconds })
        let quota = try await QuotaLedger.open(state, logger: logger)
        let pins = try await PinStore.open(state, logger: logger, wallClock: { clock.milliseconds })
        let leases = LeaseTable(
            configuration: LeaseConfiguration(maxParked: Self.capacity / 2), epoch: .random(in: 1 ... .max))
        let cache = CacheStore(store: store, leases: leases, quota: quota, pins: pins, state: state, clock: clock)
        let worker = WorkerService(
            BusWorkerOptions(
                service: ServiceName.cacheStore, capacity: Self.capacity, isExclusive: true, runsOnLoop: true),
            bus: bus,
            clock: clock, logger: logger, handler: cache.answer)
        do {
            // Whether it was the worker that ended; the others end with it, or by their failure.
            try await withThrowingTaskGroup(of: Bool.self) { group in
                group.addTask {
                    await leases.run()
                    return false
                }
                group.addTask {
                    try await keepFiles(lock, store, pins, quota)
                    return false
                }
                group.addTask {
                    // It fails by cancellation only, and then no request waits.
                    if (try? await gracefulShutdown()) != nil { await leases.shutDown() }
                    return false
                }
                group.addTask {
                    try await worker.run()
                    return true
                }
                while let wasWorker = try await group.next(), !wasWorker {}
                group.cancelAll()
            }
        } catch {
            await close(store, quota, state)
            throw error
        }
        await close(store, quota, state)
    }

    /// Opens the databases again after a failure, and after their files were deleted or replaced.
    ///
    /// - Throws: `StorageError` when another process has taken the folder.
    private func keepFiles(_ lock: DataFolder, _ store: TieredStore, _ pins: PinStore, _ quota: QuotaLedger)
        async throws
    {
        while true {
            try await Task.sleep(for: .seconds(1))
            do {
                try await lock.keepLock()
            } catch let error where !error.needsOperator {
                // It is in the log, and a database that must be opened again reports it.
            }
            await store.keepFile(at: .now)
            await pins.keepFile(at: .now)
            await quota.keepFile(at: .now)
        }
    }

    private func close(_ store: TieredStore, _ quota: QuotaLedger, _ state: StateConnection) async {
        // First: a checkpoint of the store may take long, and a kill during it would count the calls ahead as made.
        await quota.close()
        await store.close()
        await state.close()
    }
}

extension DataFolder.Description {
    static let cache = DataFolder.Description(
        name: "cache", service: ServiceName.cacheStore, setting: "BOXOFFICE_CACHE_DIR")
}
