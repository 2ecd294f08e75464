/// What a peer of the broker sent: the first part tells the versions and the sides apart.
public enum PeerMessage: Sendable, Equatable {
    case client(MajordomoVersion, ClientMessage)
    case worker(MajordomoVersion, WorkerMessage)

    /// Reads a message without its address frame; nil when it is none of Majordomo's.
    public init?(_ frames: [Frame]) {
        let version: MajordomoVersion = frames.first == [] ? .v01 : .v02
        let message = frames.dropFirst(version.envelope.count)
        let rest = message.dropFirst()
        switch message.first {
        case version.clientHeader:
            guard let decoded = ClientMessage.fromClient(rest, version) else { return nil }
            self = .client(version, decoded)
        case version.workerHeader:
            guard let decoded = WorkerMessage.decode(rest, version) else { return nil }
            self = .worker(version, decoded)
        default:
            return nil
        }
    }
}
