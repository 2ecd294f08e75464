import CMemory
import Contracts
import Envelope
public import Logging
public import MessageBus
public import ProcessKit
import ServiceKit
public import ServiceLifecycle
import Storage

/// Runs the archive until shutdown: one worker of its service, a database, and a reader of events.
public struct ArchiveService: Service {
    static let capacity = ServiceDescription.named(ServiceName.archive)?.capacity ?? 32

    /// After fewer, there is little to give back.
    private static let accessesOfNote = 10

    private let bus: MessageBus
    private let folder: String
    private let isLooking: Bool
    private let clock: WallClock
    private let logger: Logger

    /// - Parameters:
    ///   - folder: of `archive.sqlite`; made if it is missing.
    ///   - isLooking: whether it fetches charts that nobody asks for.
    public init(
        bus: MessageBus, folder: String, isLooking: Bool, clock: WallClock = .system, logger: Logger
    ) {
        self.bus = bus
        self.folder = folder
        self.isLooking = isLooking
        self.clock = clock
        self.logger = logger
    }

    public func run() async throws {
        do {
            try await serve()
        } catch let error as StorageError where error.needsOperator {
            throw DataFolder.Description.archive.startupError(error)
        }
    }

    private func serve() async throws {
        let lock = DataFolder(folder, .archive, logger: logger)
        let archive = try await Archive.open(in: folder, lock: lock, logger: logger, at: clock.milliseconds)
        let world = CurrentWorld(try await archive.latestSource() ?? .upstream)
        let collector = ChartCollector(bus: bus, archive: archive, world: world, clock: clock)
        let films = FilmCollector(bus: bus, archive: archive, clock: clock)
        let listener = ArchiveListener(
            bus: bus, collector: collector, films: films, archive: archive, clock: clock, logger: logger)
        let looks = ArchiveLooks(archive: archive, collector: collector, clock: clock, logger: logger)
        let filler = ArchiveFiller(bus: bus, archive: archive, collector: collector, clock: clock, logger: logger)
        let worker = WorkerService(
            BusWorkerOptions(service: ServiceName.archive, capacity: Self.capacity, isExclusive: true), bus: bus,
            clock: clock, logger: logger,
            handler: ArchiveHandler(
                archive: archive, collector: collector, films: films, filler: filler, clock: clock
            ).answer)
        do {
            // The others end with the worker, and by their failure all do.
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { try await listener.run() }
                group.addTask { try await filler.run() }
                if isLooking { group.addTask { try await looks.run() } }
                group.addTask { try await Self.watch(archive) }
                group.addTask { try await worker.run() }
                try await group.next()
                group.cancelAll()
            }
        } catch {
            await close(archive)
            throw error
        }
        await close(archive)
    }

    /// Ends the service when its file has been moved or removed, so that it starts again with the file of that path.
    ///
    /// When it is quiet after a fill, it gives the memory of the answers back: they were scattered, so malloc keeps it.
    private static func watch(_ archive: Archive) async throws {
        var (accesses, released) = (0, 0)
        while archive.isInPlace {
            // The interval of the check, which costs two system calls.
            try await Task.sleep(for: .seconds(1))
            let isQuiet = archive.accesses == accesses
            accesses = archive.accesses
            if isQuiet, accesses - released >= accessesOfNote {
                await archive.releaseMemory()
                await runBlocking { memory_release_free() }
                released = accesses
            }
        }
        throw archive.moved
    }

    private func close(_ archive: Archive) async {
        do {
            try await archive.close()
        } catch {
            logger.error("the archive did not close", metadata: ["archive.reason": "\(error)"])
        }
    }
}

extension DataFolder.Description {
    static let archive = DataFolder.Description(
        name: "archive", service: ServiceName.archive, setting: "BOXOFFICE_DATA_DIR")
}
