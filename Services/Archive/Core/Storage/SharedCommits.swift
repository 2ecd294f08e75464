import ArchiveMachine

/// An answer of the upstream that is to be recorded.
struct RecordedSight: Sendable {
    let key: ChartKey
    let sight: ChartRecord.Sight
    /// Milliseconds since 1970.
    let now: Int64
}

/// Puts into one commit what arrives while another one runs.
actor SharedCommits {
    private enum Turn {
        case written(ChartRecord.Change)
        /// The one that waited writes what has arrived meanwhile, itself first.
        case writing
    }

    private struct Waiting {
        let sight: RecordedSight
        let turn: CheckedContinuation<Turn, any Error>
    }

    private var waiting: [Waiting] = []
    private var isWriting = false

    /// - Parameter commit: writes several in one transaction and returns their changes, in the same order.
    func write(
        _ sight: RecordedSight, _ commit: ([RecordedSight]) async throws -> [ChartRecord.Change]
    ) async throws -> ChartRecord.Change {
        if isWriting {
            // The task that writes resumes it, after two commits at most.
            let turn = try await withCheckedThrowingContinuation { waiting.append(Waiting(sight: sight, turn: $0)) }
            if case .written(let change) = turn { return change }
        }
        isWriting = true
        let others = waiting
        waiting = []
        defer { handOver() }
        do {
            let changes = try await commit([sight] + others.map(\.sight))
            for (other, change) in zip(others, changes.dropFirst()) { other.turn.resume(returning: .written(change)) }
            return changes[0]
        } catch let error as CancellationError {
            // It was this one that was cancelled.
            waiting = others + waiting
            throw error
        } catch {
            for other in others { other.turn.resume(throwing: error) }
            throw error
        }
    }

    private func handOver() {
        guard !waiting.isEmpty else { return isWriting = false }
        waiting.removeFirst().turn.resume(returning: .writing)
    }
}
