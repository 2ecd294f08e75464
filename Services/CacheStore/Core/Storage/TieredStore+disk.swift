import Logging

extension TieredStore {
    /// Opens the disk tier; a failure leaves the store on memory alone.
    ///
    /// - Throws: `StorageError` for a database that this program must not touch.
    func openDisk() async throws {
        do {
            let tier = try await DiskTier.open(configuration.disk, logger: logger, at: wallClock())
            guard !isClosed else {
                await close(tier)
                return
            }
            disk = tier
            diskTally = tier.openingTally
            setAside = tier.aside ?? setAside
            noteWorking()
        } catch let error as StorageError {
            noteFailing(error)
            guard !error.needsOperator else { throw error }
            return
        }
        await forgetMemoryOnlyKinds()
    }

    /// They were for the disk once; now nobody would find them there.
    private func forgetMemoryOnlyKinds() async {
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

    /// What the disk has of these keys; nothing when it cannot be read.
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

    /// Removes it, so that the value that is fetched in its place is stored whatever the damaged row says.
    private func removeDamaged(_ key: String) async throws {
        diskStatistics.damaged += 1
        logger.error("a stored entry is damaged and was removed", metadata: ["cache.key": "\(key)"])
        onDamage(key)
        _ = try await removeFromDisk(.key(key))
    }

    /// Writes and commits; `nil` means that there is no disk to write to.
    func writeToDisk(_ entry: CacheEntry, at now: Int64) async throws -> DiskTier.Write? {
        // Twice at most: once more after the database was replaced by a fresh one.
        for _ in 0..<2 {
            guard let tier = disk else { return nil }
            do {
                let commit = try await tier.put([entry], uses: uses.drain(), at: now)
                // The file may have been moved aside meanwhile, and what it acknowledged with it.
                guard isCurrent(tier) else { continue }
                // Two commits may come back in the other order.
                if commit.tally.uses >= diskTally.uses { diskTally = commit.tally }
                noteWorking()
                diskStatistics.evictions += commit.evictions
                if commit.writes == [.refusedTooLarge] { diskStatistics.refusals += 1 }
                return commit.writes.first
            } catch let error as StorageError {
                try await handle(error, of: tier)
            }
        }
        return nil
    }

    /// - Returns: nil without a disk.
    /// - Throws: `StorageError` when there is one and it refused: what was meant is still there.
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

    /// What is removed is committed, and a file that stays large is no failure: its pages are used again.
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

    /// A damaged database is replaced; with any other failure the next access simply tries again.
    private func handle(_ error: StorageError, of tier: DiskTier) async throws {
        // Another call has met the same failure first and deals with it.
        guard isCurrent(tier) else { return }
        noteFailing(error)
        guard error.code == .corrupt else { return }
        // Until the fresh database is open, others find no disk and are served from memory.
        disk = nil
        // Closed before its file is moved: see `DatabaseFile.openFile`.
        guard await close(tier) else { return }
        try await replaceDatabase(because: error)
    }

    private func replaceDatabase(because error: StorageError) async throws {
        do {
            setAside = try await DiskTier.setAside(configuration.disk, because: error, logger: logger, at: wallClock())
            try await openDisk()
        } catch let error as StorageError {
            noteFailing(error)
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

    private func noteWorking() {
        if case .degraded = diskCondition { logger.notice("the cache has its disk") }
        diskCondition = .healthy
    }

    private func noteFailing(_ error: StorageError) {
        // Once for each new reason: a full disk fails every put.
        if case .degraded(let known) = diskCondition, known.code == error.code {
            diskCondition = .degraded(error)
            return
        }
        diskCondition = .degraded(error)
        logger.error("the cache goes on from memory alone", metadata: ["cache.reason": "\(error)"])
    }
}
