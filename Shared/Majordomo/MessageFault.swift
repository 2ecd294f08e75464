/// What is wrong with a message that is none of Majordomo's: one case for each way in which a decoder gives up.
public enum MessageFault: String, Sendable, CaseIterable {
    /// The first parts name no side and version of Majordomo.
    case header
    /// The command is missing, is not one byte, is unknown in that version, or is the broker's to say.
    case clientCommand = "client_command"
    /// The service's name is missing, empty, longer than 255 bytes, or not printable UTF-8.
    case clientService = "client_service"
    case workerCommand = "worker_command"
    /// As a client's, or one that only the broker may serve.
    case workerService = "worker_service"
    /// READY of a worker that is registered already.
    case workerOrder = "worker_order"
    /// A worker's reply without the client's address or the empty part after it.
    case workerAddress = "worker_address"
    /// A body that begins with our magic, but in another size or version.
    case control
}

/// A message that no decoder takes.
public struct MalformedMessage: Error, Equatable {
    public let fault: MessageFault
    /// Told by the header; nil when it is not a worker's.
    public let workerVersion: MajordomoVersion?

    init(_ fault: MessageFault, workerVersion: MajordomoVersion? = nil) {
        self.fault = fault
        self.workerVersion = workerVersion
    }
}
