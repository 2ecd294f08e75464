internal import Contracts
internal import Envelope
internal import Logging
internal import MessageBus
internal import ServiceKit

/// What a fetcher asks of the cache while it has the lease of a key.
extension PartFetcher {
    /// Renews a lease; false when this instance no longer holds it.
    func renewIfCurrent(_ lease: String, of key: String, trace: Trace) async throws -> Bool {
        do {
            try await cache.renew(
                CacheRenewRequest(key: key, lease: lease), trace: trace, deadline: .now + FetcherTiming.renewal)
            return true
        } catch let failure as Failure where !failure.isOfLostCache {
            logger.debug("a lease came too late", metadata: ["code": "\(failure.code.rawValue)"])
            return false
        }
    }

    /// Runs the fetch and renews the lease until the fetch ends.
    func withRenewal(
        _ lease: String, key: String, trace: Trace, _ fetch: @escaping @Sendable () async throws -> FetchedPart
    ) async throws -> FetchedPart {
        let renew = CacheRenewRequest(key: key, lease: lease)
        return try await withThrowingTaskGroup(of: FetchedPart?.self) { group in
            group.addTask { try await fetch() }
            group.addTask { [cache, logger] in
                while true {
                    try await Task.sleep(for: FetcherTiming.renewal)
                    do {
                        try await cache.renew(renew, trace: trace, deadline: .now + FetcherTiming.renewal)
                    } catch let failure as Failure {
                        // Without renewal another instance may also fetch; both values are stored, the newer one stays.
                        logger.debug("a lease was not renewed", metadata: ["code": "\(failure.code.rawValue)"])
                    }
                }
            }
            defer { group.cancelAll() }
            while let part = try await group.next() {
                if let part { return part }
            }
            throw CancellationError()
        }
    }

    func store(_ put: CachePutRequest, _ value: [UInt8], trace: Trace) async -> Bool {
        do {
            return try await cache.put(put, value: value, trace: trace, deadline: .now + FetcherTiming.cacheRequest)
                .isStored
        } catch {
            logger.warning("an answer was not stored", metadata: ["cache.key": "\(put.key)", "error": "\(error)"])
            return false
        }
    }

    func release(_ request: CacheReleaseRequest, trace: Trace) async {
        do {
            try await cache.release(request, trace: trace, deadline: .now + FetcherTiming.cacheRequest)
        } catch {
            // A lease that is not renewed expires.
            logger.debug("a lease was not released", metadata: ["cache.key": "\(request.key)", "error": "\(error)"])
        }
    }
}
