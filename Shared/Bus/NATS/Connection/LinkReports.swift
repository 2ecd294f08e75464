internal import CNATS
internal import PollLoop

/// What libnats reports about one connection, on threads of its own. libnats holds it until the connection has ended, or
/// an attempt has failed.
final class LinkReports: Sendable {
    /// Complete when the connection has ended.
    let end = Completion()
    private let onDenial: @Sendable (Denial) -> Void

    init(onDenial: @escaping @Sendable (Denial) -> Void) {
        self.onDenial = onDenial
    }

    /// Connects with these options.
    func connect(_ options: OpaquePointer) throws(NATSError) -> OpaquePointer {
        let own = Unmanaged.passRetained(self)
        do throws(NATSError) {
            try install(own.toOpaque(), in: options)
            var made: OpaquePointer?
            try NATSError.check(nats.natsConnection_Connect(&made, options), "connect")
            guard let made else { throw NATSError(code: .noServer, operation: "connect") }
            return made
        } catch {
            // A failed attempt makes no call of libnats after its return.
            own.release()
            throw error
        }
    }

    private func install(_ pointer: UnsafeMutableRawPointer, in options: OpaquePointer) throws(NATSError) {
        try NATSError.check(
            nats.natsOptions_SetClosedCB(
                options,
                { _, reports in
                    // The last call of a connection.
                    guard let reports else { return }
                    Unmanaged<LinkReports>.fromOpaque(reports).takeRetainedValue().end.complete()
                }, pointer),
            "watch the connection")
        // Without a handler libnats writes to the standard error.
        try NATSError.check(
            nats.natsOptions_SetErrorHandler(
                options,
                { _, _, _, reports in
                    guard let denial = NATSError.lastErrorText.flatMap(Denial.init) else { return }
                    LinkReports.of(reports)?.onDenial(denial)
                }, pointer),
            "watch the errors")
    }

    private static func of(_ pointer: UnsafeMutableRawPointer?) -> LinkReports? {
        pointer.map { Unmanaged<LinkReports>.fromOpaque($0).takeUnretainedValue() }
    }
}
