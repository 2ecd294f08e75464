/// Hands the deliveries of a worker to its lanes. A lane works on one delivery after another, and is a task: making one
/// for each delivery costs more than most handlers.
public struct HandlerLanes<Delivery: Sendable> {
    public typealias Lane = UnsafeContinuation<Delivery?, Never>

    @usableFromInline static var maxIdle: Int { 32 }

    /// Those that no lane has begun.
    @usableFromInline var waiting: [Delivery] = []
    /// Lanes without a delivery.
    @usableFromInline var idle: [Lane] = []
    /// No lane may wait any more.
    @usableFromInline var hasEnded = false

    @inlinable
    public init() {}

    /// Hands a delivery to an idle lane, or keeps it for `start`.
    @inlinable
    public mutating func append(_ delivery: Delivery) {
        if let lane = idle.popLast() { lane.resume(returning: delivery) } else { waiting.append(delivery) }
    }

    /// Begins a lane for each delivery that waits.
    @inlinable
    public mutating func start(_ begin: (Delivery) -> Void) {
        for delivery in waiting { begin(delivery) }
        waiting.removeAll(keepingCapacity: true)
    }

    /// Continues a lane whose delivery has ended: with the next one, later, or with nil when it is not needed any more.
    @inlinable
    public mutating func next(for lane: Lane) {
        // A delivery that exceeded the capacity on arrival starts now.
        if let next = waiting.popLast() {
            lane.resume(returning: next)
        } else if idle.count < Self.maxIdle, !hasEnded {
            idle.append(lane)
        } else {
            lane.resume(returning: nil)
        }
    }

    @inlinable
    public mutating func end() {
        hasEnded = true
        for lane in idle { lane.resume(returning: nil) }
        idle = []
    }
}
