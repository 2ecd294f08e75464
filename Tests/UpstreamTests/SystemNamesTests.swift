import Foundation
import NIOCore
import TestSupport
import Testing

@testable import Upstream

/// A name server that is silent, as a look-up that blocks its thread until the test lets it go.
@Suite(.timeLimit(.minutes(1))) struct SystemNamesTests {
    /// - Parameter limit: of names at a time.
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

    @Test func `a look-up that is cancelled is not waited for`() async throws {
        try await withSilentServer(limit: 4) { names, started in
            let looking = Task { try await names.address(of: "a", port: 80, deadline: .now + .seconds(3600)) }
            for await _ in started { break }
            looking.cancel()
            await #expect(throws: CancellationError.self) { try await looking.value }
        }
    }

    @Test func `a look-up ends at its deadline`() async throws {
        try await withSilentServer(limit: 4) { names, _ in
            let error = try await upstreamError {
                try await names.address(of: "a", port: 80, deadline: .now + .milliseconds(50))
            }
            #expect(error?.code == .timeout && error?.isRetriable == true)
        }
    }

    @Test func `names that nobody waits for any more count until they are looked up`() async throws {
        try await withSilentServer(limit: 2) { names, _ in
            for host in ["a", "b"] {
                let error = try await upstreamError {
                    try await names.address(of: host, port: 80, deadline: .now + .milliseconds(50))
                }
                #expect(error?.code == .timeout)
            }
            let error = try await upstreamError {
                try await names.address(of: "c", port: 80, deadline: .now + .seconds(3600))
            }
            #expect(error?.code == .unavailable)
        }
    }

    @Test func `what is looked up gives its place to the next`() async throws {
        let names = SystemNames(threads: 1, limit: 1) { _, port in try SocketAddress(ipAddress: "192.0.2.1", port: port)
        }
        for port in 1...3 {
            // The place is given back beside the answer, perhaps a moment after it.
            var found: SocketAddress?
            while found == nil { found = try? await names.address(of: "a", port: port, deadline: .now + .seconds(30)) }
            #expect(found?.port == port)
        }
    }
}
