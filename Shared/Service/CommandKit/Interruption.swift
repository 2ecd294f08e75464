internal import UnixSignals

/// Runs `body` and cancels it on INT and TERM, so that it can still report its partial result.
///
/// - Returns: The result of `body`, nil if a signal prevented it; and the exit status of the signal, 128 plus its
///   number, if one was received.
public func withSignalCancellation<Result: Sendable>(
    _ body: @escaping @Sendable () async throws -> Result
) async throws -> (result: Result?, signalStatus: Int32?) {
    let signals = await UnixSignalsSequence(trapping: .sigint, .sigterm)
    return try await withThrowingTaskGroup(of: Ending<Result>.self) { group in
        group.addTask {
            do {
                return .result(try await body())
            } catch {
                return .failure(error)
            }
        }
        group.addTask {
            for await signal in signals { return .signal(128 + signal.rawValue) }
            return .none
        }
        var signalStatus: Int32?
        while let ending = try await group.next() {
            switch ending {
            case .result(let result):
                group.cancelAll()
                return (result, signalStatus)
            case .failure(let error):
                group.cancelAll()
                guard let signalStatus else { throw error }
                return (nil, signalStatus)
            case .signal(let status):
                signalStatus = status
                group.cancelAll()
            case .none: break
            }
        }
        throw CancellationError()
    }
}

private enum Ending<Result: Sendable>: Sendable {
    case result(Result)
    case failure(any Error)
    case signal(Int32)
    /// The wait for signals was cancelled.
    case none
}
