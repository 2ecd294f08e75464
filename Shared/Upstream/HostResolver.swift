public import NIOCore
internal import NIOPosix

/// Finds the address of a host: the first that the system would connect to.
public struct HostResolver: Sendable {
    /// - Throws: `UpstreamError` with code `transport` or `timeout`.
    let address: @Sendable (_ host: String, _ port: Int, ContinuousClock.Instant) async throws -> SocketAddress

    public init(
        _ address:
            @escaping @Sendable (_ host: String, _ port: Int, ContinuousClock.Instant) async throws
            -> SocketAddress
    ) {
        self.address = address
    }

    /// The system's own names. It blocks a thread of its own pool, which is left behind at the deadline.
    public static let system = HostResolver { host, port, deadline in
        let loop = MultiThreadedEventLoopGroup.singleton.next()
        let found = loop.makePromise(of: SocketAddress.self)
        NIOThreadPool.singleton.runIfActive(eventLoop: loop) {
            try SocketAddress.makeAddressResolvingHost(host, port: port)
        }.cascade(to: found)
        let late = loop.scheduleTask(in: TimeAmount(ContinuousClock.now.duration(to: deadline))) {
            found.fail(UpstreamError(.timeout, "The name \(host) was not resolved in time."))
        }
        defer { late.cancel() }
        do {
            return try await found.futureResult.get()
        } catch let error as UpstreamError {
            throw error
        } catch {
            throw UpstreamError(.transport, "The name \(host) does not resolve.")
        }
    }
}
