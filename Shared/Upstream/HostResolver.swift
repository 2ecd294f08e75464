public import NIOCore
internal import NIOPosix
internal import Synchronization

/// Finds the address of a host: the first that the system would connect to.
public struct HostResolver: Sendable {
    /// - Throws: `UpstreamError` with code `transport` or `timeout`; `CancellationError` when the task was cancelled.
    let address: @Sendable (_ host: String, _ port: Int, ContinuousClock.Instant) async throws -> SocketAddress

    public init(
        _ address:
            @escaping @Sendable (_ host: String, _ port: Int, ContinuousClock.Instant) async throws
            -> SocketAddress
    ) {
        self.address = address
    }

    /// The system's own names.
    public static let system: HostResolver = {
        let names = SystemNames(threads: 8, limit: 64) { try SocketAddress.makeAddressResolvingHost($0, port: $1) }
        return HostResolver { host, port, deadline in
            try await names.address(of: host, port: port, deadline: deadline)
        }
    }()
}

/// Asks the system for names, which blocks a thread for as long as a name server is silent.
///
/// So there are threads for nothing else, and a look-up that is not awaited any more is left to them. Names of servers that
/// do not answer must not pile up: beyond a bound no more are asked for.
final class SystemNames: Sendable {
    private let threads: NIOThreadPool
    private let limit: Int
    private let lookUp: @Sendable (_ host: String, _ port: Int) throws -> SocketAddress
    private let pending = Mutex(0)

    /// - Parameters:
    ///   - limit: how many names may be asked for at a time, awaited or not.
    ///   - lookUp: blocks.
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
        // It says nothing of the host, whose circuit breaker it must not open.
        guard isTaken else { throw UpstreamError(.unavailable, "Too many names are being looked up.") }
        let loop = MultiThreadedEventLoopGroup.singleton.next()
        let found = loop.makePromise(of: SocketAddress.self)
        let looking = threads.runIfActive(eventLoop: loop) { [lookUp] in try lookUp(host, port) }
        looking.whenComplete { [self] _ in pending.withLock { $0 -= 1 } }
        looking.cascade(to: found)
        let late = loop.scheduleTask(in: TimeAmount(ContinuousClock.now.duration(to: deadline))) {
            found.fail(UpstreamError(.timeout, "The name \(host) was not looked up in time."))
        }
        defer { late.cancel() }
        do {
            return try await withTaskCancellationHandler {
                try await found.futureResult.get()
            } onCancel: {
                found.fail(CancellationError())
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
