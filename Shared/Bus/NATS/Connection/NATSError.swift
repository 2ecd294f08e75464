internal import CNATS

/// A failed call of libnats: the operation and the cause.
struct NATSError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The cause, by the status of libnats.
    struct Code: Hashable, Sendable {
        let status: UInt32

        static let noServer = Code(NATS_NO_SERVER)
        static let closed = Code(NATS_CONNECTION_CLOSED)
        static let authenticationFailed = Code(NATS_CONNECTION_AUTH_FAILED)
        static let notPermitted = Code(NATS_NOT_PERMITTED)
        static let encryptionFailed = Code(NATS_SSL_ERROR)
        /// The server has no TLS.
        static let encryptionMissing = Code(NATS_SECURE_CONNECTION_WANTED)
        static let invalidArgument = Code(NATS_INVALID_ARG)
        static let tooLarge = Code(NATS_MAX_PAYLOAD)
        static let disconnected = Code(NATS_CONNECTION_DISCONNECTED)
        static let noResponders = Code(NATS_NO_RESPONDERS)
        static let timeout = Code(NATS_TIMEOUT)
        /// libnats is not installed; no status of libnats.
        static let missingLibrary = Code(status: .max)

        init(_ status: natsStatus) {
            self.status = status.rawValue
        }

        private init(status: UInt32) {
            self.status = status
        }
    }

    let code: Code
    /// The call, such as "publish".
    let operation: String
    /// What libnats says beside the status; nil when it says nothing.
    let detail: String?

    var description: String {
        if code == .missingLibrary { return "libnats 3.4 is not installed (on Debian: apt-get install libnats3.4)" }
        return "NATS could not \(operation): \(reason)"
    }

    /// What libnats says.
    var reason: String {
        let status = nats.natsStatus_GetText(natsStatus(rawValue: code.status)).map { String(cString: $0) }
        return detail ?? status ?? "status \(code.status)"
    }

    init(code: Code, operation: String, detail: String? = nil) {
        self.code = code
        self.operation = operation
        self.detail = detail
    }

    /// A handshake that broke off says nothing about the server's certificate; a failed verification has a number.
    var withoutBrokenHandshake: NATSError {
        guard code == .encryptionFailed else { return self }
        let isVerification =
            detail?.contains("certificate verify failed") == true
            || detail?.contains(/handshake error: [1-9][0-9]*:/) == true
        return isVerification ? self : NATSError(code: .noServer, operation: operation, detail: detail)
    }

    /// The text of the last error of this thread, without its place in the source of libnats; nil without one.
    static var lastErrorText: String? {
        guard let text = nats.nats_GetLastError(nil).map({ String(cString: $0) }), !text.isEmpty else { return nil }
        guard text.hasPrefix("("), let place = text.firstRange(of: "): ") else { return text }
        return String(text[place.upperBound...])
    }

    /// - Throws: when the status is not OK.
    static func check(_ status: natsStatus, _ operation: String) throws(NATSError) {
        if status == NATS_OK { return }
        throw NATSError(code: Code(status), operation: operation, detail: lastErrorText)
    }
}
