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
    public static let system = HostResolver { host, port, deadline in
        try await SystemNames.shared.address(of: host, port: port, deadline: deadline)
    }
}

/// Asks the system for names, which blocks a thread for as long as a name server is silent.
///
/// So there are threads for nothing else, and a look-up that is not awaited any more is left to them. Names of servers that
/// do not answer must not pile up: beyond a bound no more are asked for.
private final class SystemNames: Sendable {
    static let shared = SystemNames()

    private static let limit = 64
    private let threads: NIOThreadPool
    private let pending = Mutex(0)

    private init() {
        threads = NIOThreadPool(numberOfThreads: 8)
        threads.start()
    }

    func address(of host: String, port: Int, deadline: ContinuousClock.Instant) async throws -> SocketAddress {
        let isTaken = pending.withLock { pending in
            guard pending < Self.limit else { return false }
            pending += 1
            return true
        }
        guard isTaken else { throw UpstreamError(.transport, "Too many names are being resolved.") }
        let loop = MultiThreadedEventLoopGroup.singleton.next()
        let found = loop.makePromise(of: SocketAddress.self)
        let lookup = threads.runIfActive(eventLoop: loop) {
            try SocketAddress.makeAddressResolvingHost(host, port: port)
        }
        lookup.whenComplete { [self] _ in pending.withLock { $0 -= 1 } }
        lookup.cascade(to: found)
        let late = loop.scheduleTask(in: TimeAmount(ContinuousClock.now.duration(to: deadline))) {
            found.fail(UpstreamError(.timeout, "The name \(host) was not resolved in time."))
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
