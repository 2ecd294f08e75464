internal import Majordomo
internal import ZeroMQ

/// The messages that one iteration of the loop sends (see `PollLoop.atEndOfIteration`).
struct SendQueue {
    private var messages: [PeerMessage] = []

    /// - Returns: True for the first message since the last `send`; the caller must then schedule the next `send`.
    mutating func append(_ message: PeerMessage) -> Bool {
        messages.append(message)
        return messages.count == 1
    }

    /// Sends all messages. A message that the socket does not accept is lost with the connection: a client repeats its
    /// request on the next connection, and the broker detects a missing answer of a worker.
    mutating func send(over socket: Socket?) {
        socket?.assumeIsolated { socket in
            for message in messages {
                _ = try? socket.sendIfReady(frames: message.frameCount) { sender in
                    message.forEachFrame { sender.append($0) }
                }
            }
        }
        messages.removeAll(keepingCapacity: true)
    }
}
