internal import UnixSignals

/// Runs `body`, which INT and TERM cancel, so that it can still say what it has.
///
/// - Returns: what it returned, nil if a signal kept it from that, and the exit status of the signal, 128 and its number,
///   if one came.
public func cancelledBySignals<Result: Sendable>(
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
    /// The watch for signals was called off.
    case none
}
