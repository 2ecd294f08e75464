/// A message of a peer of the broker: the first frames identify side and version.
public enum PeerMessage: Sendable, Equatable {
    case client(MajordomoVersion, ClientMessage)
    case worker(MajordomoVersion, WorkerMessage)

    /// Reads a message without its address frame.
    public init(_ frames: [Frame]) throws(MalformedMessage) {
        let version: MajordomoVersion = frames.first?.isEmpty == true ? .v01 : .v02
        let rest = frames.dropFirst(version.envelopeCount)
        if rest.first == version.clientHeader {
            self = .client(version, try ClientMessage.fromClient(rest.dropFirst(), version))
        } else if rest.first == version.workerHeader {
            do {
                self = .worker(version, try WorkerMessage.decode(rest.dropFirst(), version))
            } catch {
                throw MalformedMessage(error.fault, workerVersion: version)
            }
        } else {
            throw MalformedMessage(.header)
        }
    }

    /// The kinds of messages, for the counters.
    public enum Kind: String, Sendable, CaseIterable {
        case clientRequest = "client_request"
        case workerReady = "worker_ready"
        case workerPartial = "worker_partial"
        case workerFinal = "worker_final"
        case workerHeartbeat = "worker_heartbeat"
        case workerDisconnect = "worker_disconnect"
    }
}
