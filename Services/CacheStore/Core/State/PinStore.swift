import Contracts
import Envelope
public import Logging
import MessageBus
import ServiceKit
import Storage

/// Entries chosen by a user: fresh until they are unpinned, whatever is fetched, purged or cleared.
public actor PinStore {
    private let state: StateConnection
    private let wallClock: @Sendable () -> Int64
    private var entries: [String: CacheEntry] = [:]
    /// Of the file that holds these entries; see `StateConnection.open`.
    private var generation = 0
    private var retryPause = RetryPause()
    private var isChanging = false
    private var waiting: [CheckedContinuation<Void, Never>] = []

    /// While the file cannot be opened nothing is pinned; each change and `keepFile` try again.
    ///
    /// - Parameter wallClock: milliseconds since 1970.
    public static func open(
        _ state: StateConnection, logger: Logger, wallClock: @escaping @Sendable () -> Int64
    ) async throws -> PinStore {
        let store = PinStore(state: state, wallClock: wallClock)
        do {
            try await store.alone { try await store.restore() }
        } catch let error as StorageError where !error.needsOperator {
            logger.error("nothing is pinned", metadata: ["state.reason": "\(error)"])
        }
        return store
    }

    private init(state: StateConnection, wallClock: @escaping @Sendable () -> Int64) {
        self.state = state
        self.wallClock = wallClock
    }

    /// Runs one change after the other: what is removed during another one would come back.
    private func alone<Result: Sendable>(_ change: () async throws -> Result) async rethrows -> Result {
        while isChanging { await withCheckedContinuation { waiting.append($0) } }
        isChanging = true
        defer {
            isChanging = false
            if !waiting.isEmpty { waiting.removeFirst().resume() }
        }
        return try await change()
    }

    /// Reads the pins of a file that was not read yet, and writes into it those that it lacks.
    private func restore() async throws {
        let (_, contents, generation) = try await state.open()
        guard generation != self.generation else { return }
        let missing = entries.filter { contents.pins[$0.key] == nil }.values
        if !missing.isEmpty {
            try await state.write { db in for pin in missing { try StateDatabase.write(pin, db) } }
        }
        entries.merge(contents.pins) { own, _ in own }
        self.generation = generation
    }

    /// Reads the pins once the file can be opened, and again when another file has its place.
    func keepFile(at now: ContinuousClock.Instant) async {
        guard await !state.isInPlace(generation), retryPause.isOver(at: now) else { return }
        do {
            try await alone { try await restore() }
            retryPause.reset()
        } catch {
            // The next attempt is later. The first failure is in the log, and each change that fails is answered with it.
            return
        }
    }

    func entry(_ key: String) -> CacheEntry? { entries[key] }

    /// The pinned entries of these keys.
    func entries(for keys: [String]) -> [String: CacheEntry] {
        entries.isEmpty ? [:] : entries.filter { keys.contains($0.key) }
    }

    /// Pins a value under a key and replaces a pinned one; returns after the commit.
    ///
    /// - Throws: `StorageError`; then nothing was changed.
    func pin(_ value: [UInt8], under key: String, from source: DataSource, by holder: String) async throws {
        let entry = CacheEntry(
            key: key, value: value, attributes: source.attributes, storedAt: wallClock(), freshUntil: .max,
            fetchedBy: holder)
        try await alone {
            try await restore()
            try await state.write { db in try StateDatabase.write(entry, db) }
            entries[key] = entry
        }
    }

    /// - Returns: whether it was pinned.
    func unpin(_ key: String) async throws -> Bool {
        try await alone {
            try await restore()
            try await state.write { db in try StateDatabase.removePin(under: key, db) }
            return entries.removeValue(forKey: key) != nil
        }
    }
}

/// Answers the requests about pins.
struct PinHandler: Sendable {
    let pins: PinStore

    func answer(_ request: IncomingRequest) async throws -> ServiceAnswer {
        let payload = request.envelope.payload
        do {
            guard request.envelope.header.kind == CachePinRequest.kind else {
                let unpin = try JSONBytes.decode(CacheUnpinRequest.self, from: payload)
                var answer = try ServiceAnswer.json(CacheUnpinReply(wasPinned: try await pins.unpin(unpin.key)))
                answer.attributes["key"] = .text(unpin.key)
                return answer
            }
            let pin = try JSONBytes.decode(CachePinRequest.self, from: payload)
            guard let value = request.envelope.attachments.first else {
                throw Failure.malformedEnvelope("a pin without a value")
            }
            try await pins.pin(value, under: pin.key, from: pin.source, by: request.envelope.header.sender)
            var answer = ServiceAnswer()
            answer.attributes["key"] = .text(pin.key)
            return answer
        } catch let error as StorageError {
            throw Failure.diskRefused(error)
        }
    }
}
