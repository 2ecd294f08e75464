import Logging
import Storage

extension TieredStore {
    /// Opens the disk tier; after a failure the store uses memory alone.
    ///
    /// - Throws: `StorageError` for a database that this program must not change.
    func openDisk() async throws {
        do {
            let tier = try await DiskTier.open(configuration.disk, lock: lock, logger: logger, at: wallClock())
            guard !isClosed else {
                await close(tier)
                return
            }
            disk = tier
            diskTally = tier.openingTally
            setAside = tier.aside ?? setAside
            recordSuccess()
        } catch let error as StorageError {
            recordFailure(error)
            guard !error.needsOperator else { throw error }
            return
        }
        await removeMemoryOnlyKinds()
    }

    /// Opens the disk tier again when it could not be opened, and when its file was deleted or replaced.
    func keepFile(at now: ContinuousClock.Instant) async {
        if let tier = disk, !tier.isInPlace {
            deleted = configuration.disk.path
            logger.error(
                "the cache database was deleted or replaced while in use, and is opened again",
                metadata: ["cache.path": "\(configuration.disk.path)", "cache.entries": "\(diskTally.entries)"])
            disk = nil
            await close(tier)
        }
        guard disk == nil, !isClosed, !isReplacing, retryPause.isOver(at: now) else { return }
        do {
            try await openDisk()
        } catch {
            // It is the condition of the disk already, which the statistics report.
            return
        }
        if disk != nil { retryPause.reset() }
    }

    /// Removes entries of these kinds that an earlier configuration wrote to disk, where they are no longer read.
    private func removeMemoryOnlyKinds() async {
        for kind in configuration.memoryOnlyKinds {
            do {
                _ = try await removeFromDisk(.kind(kind))
            } catch {
                logger.error(
                    "what is for memory only is still on disk",
                    metadata: ["cache.kind": "\(kind)", "cache.reason": "\(error)"])
            }
        }
    }

    /// The entries that the disk has of these keys; empty when it cannot be read.
    func readFromDisk(_ keys: [String]) async throws -> [String: CacheEntry] {
        guard let tier = disk, !keys.isEmpty else { return [:] }
        do {
            let (found, damaged) = try await tier.read(keys)
            diskStatistics.hits += found.count
            diskStatistics.misses += keys.count - found.count
            for key in damaged { try await removeDamaged(key) }
            return found
        } catch let error as StorageError {
            try await handle(error, of: tier)
            return [:]
        }
    }

    /// Removes the damaged entry, so that its fields cannot supersede the value that is fetched in its place.
    private func removeDamaged(_ key: String) async throws {
        diskStatistics.damaged += 1
        logger.error("a stored entry is damaged and was removed", metadata: ["cache.key": "\(key)"])
        onDamage(key)
        _ = try await removeFromDisk(.key(key))
    }

    /// Writes and commits; `nil` means that there is no disk to write to. Entries that arrive during a commit share the
    /// next one.
    func writeToDisk(_ entry: CacheEntry) async -> DiskTier.Write? {
        await withCheckedContinuation { continuation in
            queuedWrites.append((entry, continuation))
            guard queuedWrites.count == 1, !isWriting else { return }
            isWriting = true
            // Unstructured: a commit serves several puts, so the cancellation of one must not cancel it.
            Task { await writeQueued() }
        }
    }

    private func writeQueued() async {
        while !queuedWrites.isEmpty {
            let batch = queuedWrites
            queuedWrites = []
            // It throws when its task is cancelled only, which does not happen.
            let writes = try? await commit(batch.map(\.entry))
            for (index, queued) in batch.enumerated() {
                // One entry for which a disk has no room must not keep the others in memory.
                let isAlone = writes == nil && batch.count > 1
                let write = isAlone ? try? await commit([queued.entry])?.first : writes?[index]
                queued.continuation.resume(returning: write)
            }
        }
        isWriting = false
    }

    private func commit(_ entries: [CacheEntry]) async throws -> [DiskTier.Write]? {
        // Twice at most: once more after the database was replaced by a new one.
        for _ in 0..<2 {
            guard let tier = disk else { return nil }
            do {
                let commit = try await tier.put(entries, uses: uses.drain(), at: wallClock())
                // The file may have been moved aside meanwhile, together with this commit.
                guard isCurrent(tier) else { continue }
                // The results of a commit and a removal may arrive in the opposite order.
                if commit.tally.uses >= diskTally.uses { diskTally = commit.tally }
                recordSuccess()
                diskStatistics.evictions += commit.evictions
                diskStatistics.refusals += commit.writes.count { $0 == .refusedTooLarge }
                return commit.writes
            } catch let error as StorageError {
                try await handle(error, of: tier)
            }
        }
        return nil
    }

    /// - Returns: nil without a disk.
    /// - Throws: `StorageError` when the disk failed: nothing was removed.
    func removeFromDisk(_ selection: CacheSelection) async throws -> Int? {
        guard let tier = disk else { return nil }
        do {
            let (removed, tally) = try await tier.remove(selection)
            if isCurrent(tier), tally.uses >= diskTally.uses { diskTally = tally }
            if tally.entries == 0 { await shrink(tier) }
            return removed
        } catch let error as StorageError {
            try await handle(error, of: tier)
            throw error
        }
    }

    /// Failures are only logged: the removal is committed, and the pages of a file that stays large are reused.
    private func shrink(_ tier: DiskTier) async {
        do {
            try await tier.shrink()
        } catch {
            logger.notice("the emptied cache database stays as large as it was", metadata: ["cache.reason": "\(error)"])
        }
    }

    func closeDisk() async {
        isClosed = true
        guard let tier = disk else { return }
        disk = nil
        diskCondition = .degraded(StorageError(.closed, "the store is closed"))
        await close(tier)
    }

    /// Replaces a damaged database; after any other failure the next access retries.
    private func handle(_ error: StorageError, of tier: DiskTier) async throws {
        // Another call has met the same failure first and handles it.
        guard isCurrent(tier) else { return }
        recordFailure(error)
        guard error.code == .corrupt else { return }
        // Until the new database is open, other calls have no disk and are answered from memory.
        disk = nil
        isReplacing = true
        defer { isReplacing = false }
        // It must be closed before its file is moved: see `DatabaseFile.openFile`.
        guard await close(tier) else { return }
        try await replaceDatabase(because: error)
    }

    private func replaceDatabase(because error: StorageError) async throws {
        do {
            setAside = try await DiskTier.setAside(configuration.disk, because: error, logger: logger, at: wallClock())
            try await openDisk()
        } catch let error as StorageError {
            recordFailure(error)
        }
    }

    @discardableResult
    private func close(_ tier: DiskTier) async -> Bool {
        do {
            try await tier.close()
            return true
        } catch {
            logger.error("the cache database did not close", metadata: ["cache.reason": "\(error)"])
            return false
        }
    }

    private func isCurrent(_ tier: DiskTier) -> Bool {
        tier.pool === disk?.pool
    }

    private func recordSuccess() {
        if case .degraded = diskCondition { logger.notice("the cache database is open") }
        diskCondition = .healthy
    }

    private func recordFailure(_ error: StorageError) {
        // Logged once for each new reason: a full disk fails every put.
        if case .degraded(let known) = diskCondition, known.code == error.code {
            diskCondition = .degraded(error)
            return
        }
        diskCondition = .degraded(error)
        logger.error("the cache goes on from memory alone", metadata: ["cache.reason": "\(error)"])
    }
}
