import NIOCore
import NIOPosix
import Synchronization
import Upstream

/// Resolves a host to an address: the first that the system would connect to.
struct HostResolver: Sendable {
    /// - Throws: `UpstreamError` with code `transport` or `timeout`; `CancellationError` when the task was cancelled.
    let address: @Sendable (_ host: String, _ port: Int, ContinuousClock.Instant) async throws -> SocketAddress

    init(
        _ address:
            @escaping @Sendable (_ host: String, _ port: Int, ContinuousClock.Instant) async throws
            -> SocketAddress
    ) {
        self.address = address
    }

    /// Resolves names with the system resolver.
    static let system: HostResolver = {
        let names = SystemNames(threads: 8, limit: 64) { try SocketAddress.makeAddressResolvingHost($0, port: $1) }
        return HostResolver { host, port, deadline in
            try await names.address(of: host, port: port, deadline: deadline)
        }
    }()
}

/// Resolves names with the system resolver, which blocks a thread until the name server answers.
///
/// It therefore has its own threads; a lookup that is no longer awaited stays on its thread. The number of pending
/// lookups is limited, since name servers may not answer.
final class SystemNames: Sendable {
    private let threads: NIOThreadPool
    private let limit: Int
    private let lookUp: @Sendable (_ host: String, _ port: Int) throws -> SocketAddress
    private let pending = Mutex(0)

    /// - Parameters:
    ///   - limit: maximum pending lookups, awaited or not.
    ///   - lookUp: blocks its thread.
    init(threads: Int, limit: Int, lookUp: @escaping @Sendable (_ host: String, _ port: Int) throws -> SocketAddress) {
        self.threads = NIOThreadPool(numberOfThreads: threads)
        self.limit = limit
        self.lookUp = lookUp
        self.threads.start()
    }

    deinit {
        threads.shutdownGracefully { _ in }
    }

    func address(of host: String, port: Int, deadline: ContinuousClock.Instant) async throws -> SocketAddress {
        let isTaken = pending.withLock { pending in
            guard pending < limit else { return false }
            pending += 1
            return true
        }
        // Not a failure of the host: it must not open its circuit breaker.
        guard isTaken else { throw UpstreamError(.unavailable, "Too many names are being looked up.") }
        let loop = MultiThreadedEventLoopGroup.singleton.next()
        let promise = loop.makePromise(of: SocketAddress.self)
        let resolution = threads.runIfActive(eventLoop: loop) { [lookUp] in try lookUp(host, port) }
        resolution.whenComplete { [self] _ in pending.withLock { $0 -= 1 } }
        resolution.cascade(to: promise)
        let timeout = loop.scheduleTask(in: TimeAmount(ContinuousClock.now.duration(to: deadline))) {
            promise.fail(UpstreamError(.timeout, "The name \(host) was not looked up in time."))
        }
        defer { timeout.cancel() }
        do {
            return try await withTaskCancellationHandler {
                try await promise.futureResult.get()
            } onCancel: {
                promise.fail(CancellationError())
            }
        } catch let error as UpstreamError {
            throw error
        } catch let error as CancellationError {
            throw error
        } catch {
            throw UpstreamError(.transport, "The name \(host) does not resolve.")
        }
    }
}
