import Foundation
import NIOCore
import TestSupport
import Testing
import Upstream

@testable import PosterResolverCore

/// A name server without answers is simulated by a lookup that blocks its thread until the test releases it.
@Suite(.timeLimit(.minutes(1))) struct SystemNamesTests {
    /// - Parameter limit: maximum pending lookups.
    private func withSilentServer(
        limit: Int, _ body: (_ names: SystemNames, _ started: AsyncStream<String>) async throws -> Void
    ) async throws {
        let (started, isStarted) = AsyncStream.makeStream(of: String.self)
        let answer = DispatchSemaphore(value: 0)
        let names = SystemNames(threads: 2, limit: limit) { host, port in
            isStarted.yield(host)
            answer.wait()
            answer.signal()
            return try SocketAddress(ipAddress: "192.0.2.1", port: port)
        }
        defer { answer.signal() }
        try await body(names, started)
    }

    @Test func `a cancelled lookup is not awaited`() async throws {
        try await withSilentServer(limit: 4) { names, started in
            let lookup = Task { try await names.address(of: "a", port: 80, deadline: .now + .seconds(3600)) }
            for await _ in started { break }
            lookup.cancel()
            await #expect(throws: CancellationError.self) { try await lookup.value }
        }
    }

    @Test func `a lookup ends at its deadline`() async throws {
        try await withSilentServer(limit: 4) { names, _ in
            let error = await #expect(throws: UpstreamError.self) {
                try await names.address(of: "a", port: 80, deadline: .now + .milliseconds(50))
            }
            #expect(error?.code == .timeout && error?.isRetryable == true)
        }
    }

    @Test func `lookups that are no longer awaited count until they end`() async throws {
        try await withSilentServer(limit: 2) { names, _ in
            for host in ["a", "b"] {
                let error = await #expect(throws: UpstreamError.self) {
                    try await names.address(of: host, port: 80, deadline: .now + .milliseconds(50))
                }
                #expect(error?.code == .timeout)
            }
            let error = await #expect(throws: UpstreamError.self) {
                try await names.address(of: "c", port: 80, deadline: .now + .seconds(3600))
            }
            #expect(error?.code == .unavailable)
        }
    }

    @Test func `a finished lookup frees its place for the next`() async throws {
        let names = SystemNames(threads: 1, limit: 1) { _, port in try SocketAddress(ipAddress: "192.0.2.1", port: port)
        }
        for port in 1...3 {
            // The place may become free a moment after the answer.
            var found: SocketAddress?
            while found == nil { found = try? await names.address(of: "a", port: port, deadline: .now + .seconds(30)) }
            #expect(found?.port == port)
        }
    }
}
