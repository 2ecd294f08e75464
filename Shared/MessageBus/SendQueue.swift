internal import Majordomo
internal import ZeroMQ

/// The messages that one turn of the loop has to send (see `PollLoop.atEndOfIteration`).
struct SendQueue {
    private var messages: [[Frame]] = []

    /// - Returns: true for the first message since the last `send`, which is when somebody has to see to the next one.
    mutating func append(_ message: [Frame]) -> Bool {
        messages.append(message)
        return messages.count == 1
    }

    /// Sends all of it. What a socket cannot take now is lost with its connection: a client repeats its request on the next
    /// one, and of a worker's answer the broker learns that it is missing.
    mutating func send(over socket: Socket?) {
        socket?.assumeIsolated { socket in
            for message in messages { _ = try? socket.sendIfReady(message) }
        }
        messages.removeAll(keepingCapacity: true)
    }
}
