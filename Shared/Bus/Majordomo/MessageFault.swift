/// The fault of a message that is not valid Majordomo: one case for each error of a decoder.
public enum MessageFault: String, Sendable, CaseIterable {
    /// The first frames name no side and version of Majordomo.
    case header
    /// The command is missing, is not one byte, is unknown in that version, or may be sent only by the broker.
    case clientCommand = "client_command"
    /// The service's name is missing, empty, longer than 255 bytes, or not printable UTF-8.
    case clientService = "client_service"
    case workerCommand = "worker_command"
    /// As `clientService`, or a name that only the broker may serve.
    case workerService = "worker_service"
    /// READY of a worker that is already registered.
    case workerOrder = "worker_order"
    /// A worker's reply without the client's address or the empty frame after it.
    case workerAddress = "worker_address"
    /// A body that begins with our magic, but has another size or version.
    case control
}

/// A message that no decoder accepts.
public struct MalformedMessage: Error, Equatable {
    public let fault: MessageFault
    /// The version in the header of a worker's message; nil for other messages.
    public let workerVersion: MajordomoVersion?

    package init(_ fault: MessageFault, workerVersion: MajordomoVersion? = nil) {
        self.fault = fault
        self.workerVersion = workerVersion
    }
}
