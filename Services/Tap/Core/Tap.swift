import Envelope
public import MessageBus
import ProcessKit

/// Reads the event stream and writes the lines of a view.
public struct Tap: Sendable {
    /// Interval between redraws of a view, and maximum delay until a closed pipe is noticed.
    private static let interval: Duration = .seconds(1)

    private let bus: MessageBus
    /// Receives every event, printed or not, for a file.
    private let record: (@Sendable (StampedEvent) throws -> Void)?
    private let onConnection: @Sendable (ConnectionChange) -> Void

    /// - Parameter onConnection: receives the loss and the return of the connection to the broker.
    public init(
        bus: MessageBus, record: (@Sendable (StampedEvent) throws -> Void)? = nil,
        onConnection: @escaping @Sendable (ConnectionChange) -> Void = { _ in }
    ) {
        self.bus = bus
        self.record = record
        self.onConnection = onConnection
    }

    /// Runs until the limits of the request, the end of the view, cancellation, or the end of the reader.
    ///
    /// - Parameters:
    ///   - hasReader: whether the output still has a reader; called at intervals.
    ///   - write: receives each line without a line break; false means that the output has no reader.
    public func run(
        _ request: TapRequest, _ view: inout some TapView, hasReader: () -> Bool = { true },
        _ write: @escaping (String) throws -> Bool
    ) async throws {
        let stream = try await bus.subscribe(last: request.past == .none ? 0 : .max)
        do {
            var output = Output(left: request.count ?? .max, write: write)
            try await showPast(of: stream, request, &view, &output)
            if request.isFollowing, !output.isClosed {
                try await follow(stream, request, &view, &output, hasReader: hasReader)
            }
            if !output.isClosed { try output.add(view.finish()) }
        } catch {
            await stream.close()
            throw error
        }
        await stream.close()
    }

    private func showPast(
        of stream: any EventStream, _ request: TapRequest, _ view: inout some TapView, _ output: inout Output
    ) async throws {
        var events: [(StampedEvent, lost: Int)] = []
        while let (event, lost) = await stream.nextPastEvent() {
            guard request.includes(event.event) else { continue }
            try record?(event)
            events.append((event, lost))
        }
        guard request.past != .none else { return }
        let isAll = !request.isFollowing
        try output.add(view.takePast(events.map { (event: $0.0, lost: $0.lost) }, last: request.last, isAll: isAll))
    }

    /// Shows recorded events and no others.
    ///
    /// - Parameters:
    ///   - events: each with the number of lost events before it.
    ///   - write: receives each line without a line break; false means that the output has no reader.
    static func show(
        _ events: [(event: StampedEvent, lost: Int)], _ request: TapRequest, _ view: inout some TapView,
        _ write: @escaping (String) throws -> Bool
    ) throws {
        var output = Output(left: request.count ?? .max, write: write)
        let chosen = events.filter { request.includes($0.event.event) }
        try output.add(view.takePast(chosen, last: request.last, isAll: true))
        if !output.isClosed { try output.add(view.finish()) }
    }

    private func follow(
        _ stream: any EventStream, _ request: TapRequest, _ view: inout some TapView, _ output: inout Output,
        hasReader: () -> Bool
    ) async throws {
        let start = ContinuousClock.now
        let endsAt = request.duration.map { start + $0 }
        var (lastItemAt, tickedAt) = (start, start)
        while !output.isClosed, !view.isDone, !Task.isCancelled {
            let idleAt = request.idle.map { lastItemAt + $0 }
            let until = [endsAt, idleAt].compactMap(\.self).reduce(tickedAt + Self.interval, min)
            let itemCount = view.itemCount
            switch try await stream.next(until: until) {
            case .event(let event, let lost):
                try record?(event)
                try output.add(view.take(event, lost: lost))
            case .connection(let change):
                view.isConnectionLost = change == .lost
                onConnection(change)
            case .quiet: break
            case .closed: return
            }
            let now = ContinuousClock.now
            if tickedAt + Self.interval <= now {
                guard hasReader() else { return output.isClosed = true }
                try output.add(view.advance(by: Int64((now - tickedAt).wholeMicroseconds)))
                tickedAt = now
            }
            if view.itemCount > itemCount { lastItemAt = now }
            if let endsAt, endsAt <= now { return }
            if let idle = request.idle, lastItemAt + idle <= now { return }
        }
    }

    /// Writes lines until the limit, or until the output has no reader.
    private struct Output {
        var left: Int
        let write: (String) throws -> Bool
        var isClosed = false

        init(left: Int, write: @escaping (String) throws -> Bool) {
            self.left = left
            self.write = write
        }

        mutating func add(_ lines: [String]) throws {
            for line in lines where !isClosed {
                left -= 1
                isClosed = try !write(line) || left == 0
            }
        }
    }
}
