internal import CNATS
internal import PollLoop

/// What libnats reports about one connection, on threads of its own. The connection uses it until its end.
final class LinkReports: Sendable {
    /// Complete when the connection has ended.
    let end = Completion()
    private let onDenial: @Sendable (Denial) -> Void

    init(onDenial: @escaping @Sendable (Denial) -> Void) {
        self.onDenial = onDenial
    }

    func install(in options: OpaquePointer) throws(NATSError) {
        let pointer = Unmanaged.passUnretained(self).toOpaque()
        try NATSError.check(
            nats.natsOptions_SetClosedCB(options, { _, reports in LinkReports.of(reports)?.end.complete() }, pointer),
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
