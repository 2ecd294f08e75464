import Contracts
import Domain
import Envelope
import Localization
import Logging
import MessageBus
import ProcessKit
import Storage

/// Learns what others have fetched: events are hints, and a look into the cache follows each.
///
/// Events can be lost; so the charts of the last 60 days and their films are looked up at the start, after a gap, and once an hour.
struct ArchiveListener: Sendable {
    private static let days = 60
    private static let sweepInterval: Duration = .seconds(3600)
    private static let retryPause: Duration = .seconds(1)
    /// An answer from the cache has six events: a subscriber would make it a tenth slower.
    private static let readInterval: Duration = .milliseconds(500)

    let bus: MessageBus
    let collector: ChartCollector
    let films: FilmCollector
    let archive: Archive
    let clock: WallClock
    let logger: Logger

    func run() async throws {
        while !Task.isCancelled {
            do {
                let stream = try await bus.poll(every: Self.readInterval)
                do {
                    try await read(stream)
                } catch {
                    await stream.close()
                    throw error
                }
                await stream.close()
            } catch let failure as Failure {
                logger.warning("the events cannot be read", metadata: ["reason": "\(failure.message.en)"])
            }
            // A broker that is away must not be asked without a pause.
            try await Task.sleep(for: Self.retryPause)
        }
    }

    private func read(_ stream: any EventStream) async throws {
        try await sweep()
        var nextSweep = ContinuousClock.now + Self.sweepInterval
        while true {
            var hasGap = false
            switch try await stream.next(until: nextSweep) {
            case .event(let stamped, let lost):
                hasGap = lost > 0
                if let key = Self.storedKey(stamped.event) { try await peek(key) }
            case .connection(.restored), .quiet: hasGap = true
            case .connection(.lost): break
            case .closed: return
            }
            if hasGap {
                try await sweep()
                nextSweep = .now + Self.sweepInterval
            }
        }
    }

    /// The key that a put has stored; nil for other events.
    private static func storedKey(_ event: Event) -> String? {
        guard event.kind == EventKind.answered(CachePutRequest.kind), case .text(let key)? = event.attributes["key"]
        else { return nil }
        return key
    }

    /// Looks at a chart of the whole country, or at a film's detail.
    private func peek(_ key: String) async throws {
        if let selection = ChartRequest.unfilteredSelection(ofKey: key) {
            guard await !collector.ownFetches.explains(selection) else { return }
            try await logging { try await collector.peek([selection], deadline: .now + ChartCollector.peekLimit) }
        } else if let code = DetailRequest.code(ofKey: key) {
            try await logging { try await films.peek([code], deadline: .now + ChartCollector.peekLimit) }
        }
    }

    private func sweep() async throws {
        await collector.ownFetches.forgetPuts()
        let yesterday = Day.yesterdayInSeoul(secondsSinceEpoch: clock.now())
        let days = (0..<Self.days).map { yesterday.advanced(by: -$0) }
        try await logging {
            try await collector.peek(days.map { .daily($0) }, deadline: .now + ChartCollector.peekLimit)
            let codes = try await archive.filmsWithoutDetail(
                await collector.world.world, .daily, in: days[days.count - 1]...yesterday)
            try await films.peek(codes, deadline: .now + ChartCollector.peekLimit)
        }
    }

    /// A failure leaves the rest to the next sweep.
    private func logging(_ peek: () async throws -> Void) async throws {
        do {
            try await peek()
        } catch let failure as Failure {
            logger.warning("the cache cannot be read", metadata: ["reason": "\(failure.message.en)"])
        } catch let error as StorageError {
            logger.error("the archive cannot be written", metadata: ["archive.reason": "\(error)"])
        }
    }
}
