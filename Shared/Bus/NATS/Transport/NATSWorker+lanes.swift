internal import Envelope
internal import MessageBus
internal import PollLoop

/// The lanes of a worker: each calls the handler for one delivery after the other.
extension NATSWorker {
    nonisolated func runLane(from first: Delivery, _ caller: HandlerCaller) async {
        var next: Delivery? = first
        while let delivery = next {
            // The server admits a kind of request only from those whose permissions have it.
            let content = await caller.answer(
                delivery.content, control: delivery.control, kind: delivery.kind, role: 3, deadline: delivery.deadline)
            // The result of a cancelled handler is not sent: the client asks another instance.
            if Task.isCancelled { return }
            next = await finish(delivery, with: content, caller)
        }
    }

    /// Waits for the next delivery; nil when the lane is not needed any more.
    private nonisolated func finish(
        _ delivery: Delivery, with content: [Frame]?, _ caller: HandlerCaller
    ) async -> Delivery? {
        // A lane on the loop needs no change of executors, neither here nor when it continues.
        guard loop.isOnLoop else { return await finishOnLoop(delivery, with: content, caller) }
        return await withUnsafeContinuation { lane in assumeIsolated { $0.finish(delivery, content, caller, lane) } }
    }

    private func finishOnLoop(
        _ delivery: Delivery, with content: [Frame]?, _ caller: HandlerCaller
    ) async -> Delivery? {
        await withUnsafeContinuation { finish(delivery, content, caller, $0) }
    }

    private func finish(
        _ delivery: Delivery, _ content: [Frame]?, _ caller: HandlerCaller,
        _ lane: UnsafeContinuation<Delivery?, Never>
    ) {
        if let content {
            let limit = connection.perform { $0.maxPayload }
            let size = content.reduce(ControlFrame.size + 64) { $0 + $1.count + 4 }
            let isTooLarge = limit > 0 && size > limit
            open[delivery.request]?.answer =
                isTooLarge
                ? caller.makeFailureReply(to: delivery.control, Failure.exceedsServer(size, limit: limit)) : content
            update { $0.finished(delivery.request, at: $1, &$2) }
        } else {
            update { $0.returned(delivery.request, at: $1, &$2) }
        }
        setAlarm()
        lanes.next(for: lane)
    }
}
