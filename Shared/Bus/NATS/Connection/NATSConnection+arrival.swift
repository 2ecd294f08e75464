internal import CNATS

extension NATSConnection {
    /// What a subscription receives.
    enum Arrival: Sendable, Hashable {
        case message(NATSMessage)
        /// The server's answer to a request on a subject without subscribers (ADR-22). libnats withholds the message,
        /// and so the request is known only where it has a subscription of its own.
        case noResponders
    }
}

extension NATSConnection.Arrival {
    /// The next one that has arrived; nil when there is none.
    static func next(of subscription: OpaquePointer) -> Self? {
        // Reading an empty subscription costs an error text.
        var (messages, bytes): (Int32, Int32) = (0, 0)
        guard nats.natsSubscription_GetPending(subscription, &messages, &bytes) != NATS_OK || messages > 0 else {
            return nil
        }
        var received: OpaquePointer?
        switch nats.natsSubscription_NextMsg(&received, subscription, 0) {
        case NATS_OK:
            guard let received else { return nil }
            defer { nats.natsMsg_Destroy(received) }
            return .message(NATSMessage(received))
        case NATS_NO_RESPONDERS: return .noResponders
        // libnats reports once that it dropped messages of a slow reader, and goes on.
        case NATS_SLOW_CONSUMER: return next(of: subscription)
        default: return nil
        }
    }
}
