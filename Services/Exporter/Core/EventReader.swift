import Envelope
import Localization
import Logging
import MessageBus
import ServiceLifecycle

/// Reads the stream of events, and continues when a lost broker is back.
struct EventReader: Service {
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
                    try await Task.sleep(for: ExporterTiming.subscriptionPause)
                }
            }
        }
    }

    private func read(_ stream: any EventStream) async throws {
        do {
            // What was missed while the connection was lost is among the lost events before the next one.
            while let (event, lost) = try await stream.next() {
                await observations.take(event.event, lost: lost)
            }
        } catch {
            await stream.close()
            throw error
        }
        await stream.close()
    }
}
