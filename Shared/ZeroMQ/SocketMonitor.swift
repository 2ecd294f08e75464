/// The connection events of one socket, read one at a time.
public struct SocketMonitor: Sendable {
    let watched: Socket
    let reader: Socket

    /// Waits for the next event; nil once the monitor or its socket is closed, or the task is cancelled.
    public func next() async throws(ZeroMQError) -> SocketEvent? {
        while let message = try await reader.receive() {
            guard let message = MonitorMessage(message), let event = SocketEvent(number: message.number) else {
                continue
            }
            return event == .monitorStopped ? nil : event
        }
        return nil
    }

    public func close() async {
        await watched.stopMonitoring()
        await reader.close()
    }
}
