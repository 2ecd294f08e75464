internal import Dispatch

/// Runs a call that may block, such as opening a database or looking up a host, on a thread of its own.
///
/// On Linux a job of Dispatch's global queue is not enough: blocked, it takes a thread from the cooperative pool, which
/// has one for each core. The call is not cancellable.
public func runBlocking<Success: Sendable, Failure: Error>(
    _ work: @escaping @Sendable () throws(Failure) -> Success
) async throws(Failure) -> Success {
    let result: Result<Success, Failure> = await withCheckedContinuation { continuation in
        DispatchQueue(label: "blocking call").async { continuation.resume(returning: Result(catching: work)) }
    }
    return try result.get()
}
