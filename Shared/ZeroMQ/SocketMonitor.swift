/// The connection events of one socket, pulled one at a time.
public struct SocketMonitor: Sendable {
    let watched: Socket
    let reader: Socket

    /// The next event; nil once the monitor is closed, its socket is gone, or the task is cancelled.
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
