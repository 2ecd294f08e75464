import Dispatch

/// Runs a call that may block, such as opening or closing a database, outside the cooperative pool.
///
/// It is not cancellable: a half open database is of no use.
func blockingCall<Result: Sendable>(_ work: @escaping @Sendable () throws -> Result) async throws -> Result {
    try await withCheckedThrowingContinuation { continuation in
        DispatchQueue.global().async {
            continuation.resume(with: Swift.Result { try work() })
        }
    }
}
