public import Logging
import ServiceLifecycle

extension DemoUpstream {
    /// Runs a demo upstream on any free port while `body` runs, for tests.
    ///
    /// - Parameters:
    ///   - clock: Unix time in seconds; without one it is always nine in the morning of 2026-01-01 in Seoul.
    ///   - body: gets the base URL, "http://127.0.0.1:PORT"; the server accepts connections by then. Whether it returns or
    ///     throws, the server has stopped when this function returns.
    public static func withServer<Result: Sendable>(
        configuration: DemoUpstreamConfiguration = .init(),
        clock: @escaping @Sendable () -> Double = { 1_767_225_600 },
        logger: Logger = Logger(label: "demo-upstream") { _ in SwiftLogNoOpLogHandler() },
        _ body: (String) async throws -> Result
    ) async throws -> Result {
        let (addresses, listening) = AsyncStream.makeStream(of: String.self, bufferingPolicy: .bufferingNewest(1))
        let upstream = DemoUpstream(configuration: configuration, clock: clock, logger: logger) { listening.yield($0) }
        let services = ServiceGroup(
            configuration: .init(
                services: [.init(service: upstream, successTerminationBehavior: .gracefullyShutdownGroup)],
                logger: logger))
        return try await withThrowingTaskGroup(of: Void.self) { tasks in
            tasks.addTask {
                defer { listening.finish() }
                try await services.run()
            }
            var iterator = addresses.makeAsyncIterator()
            guard let address = await iterator.next() else {
                try await tasks.waitForAll()
                throw DemoUpstreamError.neverListened
            }
            let outcome: Swift.Result<Result, any Error>
            do {
                outcome = .success(try await body(address))
            } catch {
                outcome = .failure(error)
            }
            await services.triggerGracefulShutdown()
            try await tasks.waitForAll()
            return try outcome.get()
        }
    }
}
