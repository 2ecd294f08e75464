import Dispatch

/// Runs a call that may block, such as opening or closing a database, away from the cooperative pool.
///
/// It is not cancellable: a database that is half open helps nobody.
func blockingCall<Result: Sendable>(_ work: @escaping @Sendable () throws -> Result) async throws -> Result {
    try await withCheckedThrowingContinuation { continuation in
        DispatchQueue.global().async {
            continuation.resume(with: Swift.Result { try work() })
        }
    }
}
