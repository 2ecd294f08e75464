extension UpstreamRequest {
    /// Runs an exchange that ends at the deadline in any case: the deadline of an HTTP client covers only the head of
    /// an answer, and a body may be endless.
    ///
    /// - Parameter exchange: receives the time that is left; it must end soon after it is cancelled.
    func withDeadline(
        _ deadline: ContinuousClock.Instant,
        _ exchange: @escaping @Sendable (_ granted: Duration) async throws -> UpstreamResponse
    ) async throws -> UpstreamResponse {
        let granted = ContinuousClock.now.duration(to: deadline)
        guard granted > .zero else { throw UpstreamError.timeout(self, after: .zero) }
        return try await withThrowingTaskGroup(of: UpstreamResponse.self) { group in
            defer { group.cancelAll() }
            group.addTask { try await exchange(granted) }
            group.addTask {
                try await Task.sleep(until: deadline, clock: .continuous)
                throw UpstreamError.timeout(self, after: granted)
            }
            for try await response in group {
                return response
            }
            throw CancellationError()
        }
    }
}
