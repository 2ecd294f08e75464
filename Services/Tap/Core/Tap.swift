public import MessageBus

/// Watches the event stream and hands over one line an event.
public struct Tap: Sendable {
    private let bus: MessageBus
    private let isJSON: Bool

    public init(bus: MessageBus, isJSON: Bool) {
        self.bus = bus
        self.isJSON = isJSON
    }

    /// - Parameters:
    ///   - last: past events to begin with, as far as the broker keeps them.
    ///   - isFollowing: go on with live events after them.
    ///   - count: end after so many events; nil never ends.
    ///   - write: gets each line without its end; false says that nobody reads any more.
    public func run(
        last: Int, isFollowing: Bool, count: Int?, _ write: (String) throws -> Bool
    ) async throws {
        let stream = try await bus.subscribe(last: last)
        do {
            var left = count ?? .max
            while left > 0, let (event, lost) = try await next(of: stream, isFollowing: isFollowing) {
                if lost > 0, try !write(EventLine.gap(lost, isJSON: isJSON)) { break }
                let line = isJSON ? String(decoding: try EventLine.json(event), as: UTF8.self) : EventLine.text(event)
                guard try write(line) else { break }
                left -= 1
            }
        } catch {
            await stream.close()
            throw error
        }
        await stream.close()
    }

    private func next(of stream: EventStream, isFollowing: Bool) async throws -> (StampedEvent, lost: Int)? {
        isFollowing ? try await stream.next() : await stream.nextPast().map { ($0, 0) }
    }
}
