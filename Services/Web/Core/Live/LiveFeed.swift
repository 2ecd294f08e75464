import Assembly
import Contracts
import Domain
import Envelope
import Logging
import MessageBus
import ServiceLifecycle

/// The events of the stack for this server: one subscription, which drops pages whose parts have changed, wakes the
/// watches of charts, and feeds the streams of all listeners.
final class LiveFeed: Sendable {
    private let bus: MessageBus
    private let pages: PageCache
    private let watches: ChartWatches
    private let streams: LiveStreams
    private let logger: Logger

    init(bus: MessageBus, pages: PageCache, watches: ChartWatches, streams: LiveStreams, logger: Logger) {
        self.bus = bus
        self.pages = pages
        self.watches = watches
        self.streams = streams
        self.logger = logger
    }

    /// Follows the stream of events until a graceful shutdown, also across the absence of the broker.
    func run() async throws {
        // Also after an error or a cancellation, no task waits for ever.
        defer { drain() }
        try await withGracefulShutdownHandler {
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { try await cancelWhenGracefulShutdown { try await self.follow() } }
                group.addTask {
                    await cancelWhenGracefulShutdown { await self.checkTimes() }
                    await self.streams.awaitLast()
                }
                group.addTask {
                    await self.watches.run { selection, version in self.publish(selection, version) }
                }
                // Not waitForAll(), which would continue to serve after a failure of another task.
                while try await group.next() != nil {}
            }
        } onGracefulShutdown: {
            self.drain()
        }
    }

    private func follow() async throws {
        while !Task.isCancelled {
            do {
                let stream = try await bus.subscribe()
                pages.dropAll(isFed: true)
                watches.wakeAll()
                do {
                    try await follow(stream)
                } catch {
                    await stream.close()
                    throw error
                }
                await stream.close()
            } catch let failure as Failure {
                logger.debug("no events", metadata: ["code": "\(failure.code.rawValue)"])
                // A cancelled sleep means the end.
                guard (try? await Task.sleep(for: WebTiming.subscriptionPause)) != nil else { return }
            } catch is CancellationError {
                return
            }
        }
    }

    private func follow(_ stream: any EventStream) async throws {
        while true {
            switch try await stream.next(until: .now + WebTiming.eventWait) {
            case .event(let stamped, let lost):
                if lost > 0 { recover(missed: lost) }
                take(stamped.event)
            case .connection(.lost):
                pages.dropAll(isFed: false)
            case .connection(.restored(let missed)):
                recover(missed: missed)
            case .quiet: break
            case .closed: return
            }
        }
    }

    /// Events were missed: any part may have changed.
    private func recover(missed: Int) {
        pages.dropAll(isFed: true)
        watches.wakeAll()
        guard missed > 0 else { return }
        streams.append(event: .everyone, named: "gap") { Array("{\"lost\":\(missed)}".utf8) }
    }

    private func take(_ event: Event) {
        watches.wake(after: event)
        let isChange = EventKind.partChanges.contains(event.kind) || event.kind == EventKind.chartArchived
        if isChange, let key = event.attributes["key"]?.description {
            pages.drop(part: key)
        }
        switch EventKind(rawValue: event.kind) {
        // The services and the gateways say the same in one event instead of three.
        case .queued, .dispatched, .answered: break
        default: streams.append(event: .event(event), named: "event") { event.json() }
        }
    }

    /// The answer to a chart has changed.
    private func publish(_ selection: ChartSelection, _ version: String) {
        streams.append(chart: selection, data: Array("{\"version\":\"\(version)\"}".utf8))
    }

    private func drain() {
        watches.end()
        streams.drain()
    }

    /// One timer serves all watches and streams: a cancelled one would stay in the queue of the system until its time.
    private func checkTimes() async {
        // A cancelled sleep means the end.
        while (try? await Task.sleep(for: WebTiming.check)) != nil {
            streams.wakeQuiet()
            watches.wakeDue()
        }
    }
}
