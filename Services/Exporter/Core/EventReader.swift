import Envelope
import Localization
import Logging
import MessageBus
import ServiceLifecycle

/// Reads the stream of events, and goes on after a broker was away.
struct EventReader: Service {
    /// How often exchanges without an end are looked for, and the pause before a stream is opened again.
    private static let interval: Duration = .seconds(1)

    let bus: MessageBus
    let observations: Observations
    let logger: Logger

    func run() async throws {
        try await cancelWhenGracefulShutdown {
            while !Task.isCancelled {
                do {
                    try await read(bus.subscribe())
                } catch let failure as Failure {
                    logger.warning("the events cannot be read", metadata: ["reason": "\(failure.message.en)"])
                    try await Task.sleep(for: Self.interval)
                }
            }
        }
    }

    private func read(_ stream: any EventStream) async throws {
        var lastAt = ContinuousClock.now
        do {
            while true {
                switch try await stream.next(until: lastAt + Self.interval) {
                case .event(let event, let lost): await observations.take(event.event, lost: lost)
                case .connection(.restored(let missed)): await observations.note(lost: missed)
                case .connection(.lost), .quiet: break
                case .closed: return await stream.close()
                }
                let now = ContinuousClock.now
                guard now - lastAt >= Self.interval else { continue }
                await observations.advance(by: now - lastAt)
                lastAt = now
            }
        } catch {
            await stream.close()
            throw error
        }
    }
}
