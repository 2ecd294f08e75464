import ArchiveMachine
import Assembly
import Contracts
import Domain
import Envelope
import MessageBus
import ProcessKit
import Storage

/// Fetches the details of films as any client does, and archives each.
struct FilmCollector: Sendable {
    /// The number of details that are asked for at a time.
    private static let concurrency = 20

    let bus: MessageBus
    let archive: Archive
    let clock: WallClock

    /// Fetches one in the lowest class.
    ///
    /// - Parameter onAnswer: called before the answer is archived.
    func fill(
        _ code: String, deadline: ContinuousClock.Instant, onAnswer: () -> Void
    ) async throws -> FillStateMachine.Outcome {
        let query = Query(bus: bus, deadline: deadline, trace: .root(.background), clock: clock)
        let outcome = try await query.detailPart(code: code)
        onAnswer()
        guard let value = outcome.value, let source = outcome.source else {
            return .failed(outcome.failure?.code ?? .unreadable)
        }
        // Beside a stale value, the failure of the fetch is not the archive's.
        try await record(value, of: code, source, age: outcome.cache?.age)
        return .archived
    }

    /// Fetches details for a question, until the deadline.
    ///
    /// - Returns: how many answers have come, failures included.
    /// - Throws: `StorageError`; `Failure` when the broker is unavailable.
    func fetch(_ codes: [String], trace: Trace, deadline: ContinuousClock.Instant) async throws -> Int {
        let query = Query(bus: bus, deadline: deadline, trace: trace, clock: clock)
        return try await withThrowingTaskGroup(of: Void.self) { group in
            var (waiting, begun) = (codes[...], 0)
            func begin() {
                guard .now < deadline, let code = waiting.popFirst() else { return }
                begun += 1
                group.addTask {
                    let outcome = try await query.detailPart(code: code)
                    guard let value = outcome.value, let source = outcome.source else { return }
                    try await record(value, of: code, source, age: outcome.cache?.age)
                }
            }
            for _ in 0..<Self.concurrency { begin() }
            while try await group.next() != nil { begin() }
            return begun
        }
    }

    /// Archives details that the cache has.
    ///
    /// - Throws: `StorageError`; `Failure` when the broker or the cache is unavailable.
    func peek(_ codes: [String], deadline: ContinuousClock.Instant) async throws {
        let keys = codes.map { DetailRequest(code: $0, isRefresh: false).cacheKey }
        let cached = try await Query(bus: bus, deadline: deadline, clock: clock).peek(keys)
        for (code, key) in zip(codes, keys) {
            guard let part = cached[key], let value = part.value else { continue }
            do {
                try await record(value, of: code, part.entry.source, age: part.entry.age)
            } catch is DecodingError {
                // An entry of another release may be unreadable: it counts as not stored.
            }
        }
        if let failure = cached.failure { throw failure }
    }

    private func record(_ value: [UInt8], of code: String, _ source: DataSource, age: Int?) async throws {
        let film = try JSONBytes.decode(FilmDetail.self, from: value)
        guard film.code == code else { return }
        let seenAt = clock.milliseconds - Int64(min(max(age ?? 0, 0), 1_000_000_000)) * 1000
        try await archive.record(film, source, seenAt: seenAt)
    }
}
