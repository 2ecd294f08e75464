/// The side of a transport that serves requests: an actor on a loop, whose lanes call the handler on any thread.
public protocol ServingActor: Actor {
    /// A request as it was received.
    associatedtype Delivery: Sendable

    /// Whether this is the thread of the actor's loop.
    nonisolated var isOnLoop: Bool { get }

    var lanes: HandlerLanes<Delivery> { get set }

    /// Calls the handler; nil for a request that is returned undelivered.
    nonisolated func answer(_ delivery: Delivery, _ caller: HandlerCaller) async -> [Frame]?

    /// Sends the answer, or returns the request when `content` is nil.
    func end(_ delivery: Delivery, with content: [Frame]?, _ caller: HandlerCaller)
}

// Public and inlinable: the compiler does not specialise generic functions of package access for other modules.
extension ServingActor {
    /// Calls the handler for one delivery after the other, until the lane is not needed any more.
    @inlinable
    public nonisolated func runLane(from first: Delivery, _ caller: HandlerCaller) async {
        var next: Delivery? = first
        while let delivery = next {
            let content = await answer(delivery, caller)
            // The result of a cancelled handler is not sent: another worker gets the request.
            if Task.isCancelled { return }
            next = await finish(delivery, content, caller)
        }
    }

    @inlinable
    nonisolated func finish(
        _ delivery: Delivery, _ content: [Frame]?, _ caller: HandlerCaller
    ) async -> Delivery? {
        // A lane on the loop needs no change of executors, neither here nor when it continues.
        guard isOnLoop else { return await finishOnLoop(delivery, content, caller) }
        return await withUnsafeContinuation { lane in assumeIsolated { $0.finish(delivery, content, caller, lane) } }
    }

    @inlinable
    func finishOnLoop(_ delivery: Delivery, _ content: [Frame]?, _ caller: HandlerCaller) async -> Delivery? {
        await withUnsafeContinuation { finish(delivery, content, caller, $0) }
    }

    @inlinable
    func finish(
        _ delivery: Delivery, _ content: [Frame]?, _ caller: HandlerCaller, _ lane: HandlerLanes<Delivery>.Lane
    ) {
        end(delivery, with: content, caller)
        lanes.next(for: lane)
    }
}
