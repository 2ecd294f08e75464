public import MessageBus

/// A message between a worker and the broker, in either version (RFC 7 and 18, "MDP/Worker").
///
/// `extra` frames of READY, HEARTBEAT and DISCONNECT are our extension (0.2 only) and empty on the wire of a plain
/// peer.
public enum WorkerMessage: Sendable, Equatable {
    case ready(service: Frame, extra: [Frame])
    case request(ticket: Frame, body: MessageBody)
    case partial(ticket: Frame, body: MessageBody)
    case final(ticket: Frame, body: MessageBody)
    case heartbeat(extra: [Frame])
    case disconnect(extra: [Frame])

    /// The extra frame of a worker's HEARTBEAT that requests the end of dispatch, and of the broker's HEARTBEAT that
    /// grants it. The worker gets no requests after the granting HEARTBEAT.
    public static let drainFrame = Frame(text: "drain")

    /// The command byte; nil for PARTIAL in 0.1, which has none.
    func command(_ version: MajordomoVersion) -> UInt8? {
        switch (self, version) {
        case (.ready, _): 1
        case (.request, _): 2
        case (.partial, .v01): nil
        case (.partial, .v02): 3
        case (.final, .v01): 3
        case (.final, .v02): 4
        case (.heartbeat, .v01): 4
        case (.heartbeat, .v02): 5
        case (.disconnect, .v01): 5
        case (.disconnect, .v02): 6
        }
    }

    /// The frames on the wire; nil for a message that the version does not have.
    public func encoded(_ version: MajordomoVersion) -> [Frame]? {
        command(version).map { _ in PeerMessage.worker(version, self).encoded }
    }

    /// Address and empty frame count as two.
    var frameCountAfterCommand: Int {
        switch self {
        case .ready(_, let extra): 1 + extra.count
        case .request(_, let body), .partial(_, let body), .final(_, let body): 2 + body.frameCount
        case .heartbeat(let extra), .disconnect(let extra): extra.count
        }
    }

    /// Reads the frames from the command on.
    static func decode(
        _ frames: ArraySlice<Frame>, _ version: MajordomoVersion
    ) throws(MalformedMessage) -> WorkerMessage {
        var rest = frames
        guard let command = rest.popFirst(), command.count == 1 else { throw MalformedMessage(.workerCommand) }
        switch (command[0], version) {
        case (1, _):
            guard let service = rest.popFirst(), service.isServiceName else { throw MalformedMessage(.workerService) }
            return .ready(service: service, extra: Array(rest))
        case (2, _):
            let ticket = try address(&rest)
            return .request(ticket: ticket, body: MessageBody(rest))
        case (3, .v01), (4, .v02):
            let ticket = try address(&rest)
            return .final(ticket: ticket, body: MessageBody(rest))
        case (3, .v02):
            let ticket = try address(&rest)
            return .partial(ticket: ticket, body: MessageBody(rest))
        case (4, .v01), (5, .v02): return .heartbeat(extra: Array(rest))
        case (5, .v01), (6, .v02): return .disconnect(extra: Array(rest))
        default: throw MalformedMessage(.workerCommand)
        }
    }

    /// Removes the address and the empty frame after it.
    private static func address(_ frames: inout ArraySlice<Frame>) throws(MalformedMessage) -> Frame {
        guard let address = frames.popFirst(), frames.popFirst()?.isEmpty == true else {
            throw MalformedMessage(.workerAddress)
        }
        return address
    }

    /// Reads a message of the broker to a worker; nil for any other message.
    public static func fromBroker(_ frames: [Frame]) -> WorkerMessage? {
        let version: MajordomoVersion = frames.first?.isEmpty == true ? .v01 : .v02
        let rest = frames.dropFirst(version.envelopeCount)
        guard rest.first == version.workerHeader else { return nil }
        return try? decode(rest.dropFirst(), version)
    }
}
