import Envelope
public import MessageBus
import ProcessKit

/// Watches the event stream and hands over what a view makes of it.
public struct Tap: Sendable {
    /// How often a view may draw anew, and how late a closed pipe is noticed at most.
    private static let interval: Duration = .seconds(1)

    private let bus: MessageBus
    /// Gets every event, shown or not, for a file.
    private let record: (@Sendable (StampedEvent) throws -> Void)?

    public init(bus: MessageBus, record: (@Sendable (StampedEvent) throws -> Void)? = nil) {
        self.bus = bus
        self.record = record
    }

    /// Ends by what the request says, when the view is done, when the task is cancelled, or when nobody reads any more.
    ///
    /// - Parameters:
    ///   - hasReader: whether anybody still reads; asked now and then.
    ///   - write: gets each line without its end; false says that nobody reads any more.
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
        of stream: EventStream, _ request: TapRequest, _ view: inout some TapView, _ output: inout Output
    ) async throws {
        var events: [(StampedEvent, lost: Int)] = []
        while let (event, lost) = await stream.nextPast() {
            if case .since(let moment) = request.past, event.event.at < moment { continue }
            try record?(event)
            events.append((event, lost))
        }
        guard request.past != .none else { return }
        var last: Int?
        if case .last(let count) = request.past { last = count }
        let isAll = !request.isFollowing
        try output.add(view.past(events.map { (event: $0.0, lost: $0.lost) }, last: last, isAll: isAll))
    }

    private func follow(
        _ stream: EventStream, _ request: TapRequest, _ view: inout some TapView, _ output: inout Output,
        hasReader: () -> Bool
    ) async throws {
        let start = ContinuousClock.now
        let endsAt = request.duration.map { start + $0 }
        var (heardAt, tickedAt) = (start, start)
        while !output.isClosed, !view.isDone, !Task.isCancelled {
            let idleAt = request.idle.map { heardAt + $0 }
            let until = [endsAt, idleAt].compactMap(\.self).reduce(tickedAt + Self.interval, min)
            let news = view.news
            switch try await stream.next(until: until) {
            case .event(let event, let lost):
                try record?(event)
                try output.add(view.take(event, lost: lost))
            case .quiet: break
            case .closed: return
            }
            let now = ContinuousClock.now
            if tickedAt + Self.interval <= now {
                guard hasReader() else { return output.isClosed = true }
                try output.add(view.passed(Int64((now - tickedAt).wholeMicroseconds)))
                tickedAt = now
            }
            if view.news > news { heardAt = now }
            if let endsAt, endsAt <= now { return }
            if let idle = request.idle, heardAt + idle <= now { return }
        }
    }

    /// Lines on their way out, until there are enough or nobody reads.
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
