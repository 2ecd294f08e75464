/// A message between a worker and the broker, in either version (RFC 7 and 18, "MDP/Worker").
///
/// `extra` frames of READY, HEARTBEAT and DISCONNECT are our extension (0.2 only) and empty on the wire of a plain
/// peer.
public enum WorkerMessage: Sendable, Equatable {
    case ready(service: Frame, extra: [Frame])
    case request(ticket: Frame, body: [Frame])
    case partial(ticket: Frame, body: [Frame])
    case final(ticket: Frame, body: [Frame])
    case heartbeat(extra: [Frame])
    case disconnect(extra: [Frame])

    /// The command byte; nil for PARTIAL in 0.1, which has none.
    private func command(_ version: MajordomoVersion) -> UInt8? {
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
        guard let command = command(version) else { return nil }
        var frames: [Frame] = []
        func begin(for rest: [Frame]) {
            // Empty frame, header and command, address and empty frame.
            frames.reserveCapacity(5 + rest.count)
            if version == .v01 { frames.append([]) }
            frames.append(version.workerHeader)
            frames.append(CommandFrame[command])
        }
        switch self {
        case .ready(let service, let extra):
            begin(for: extra)
            frames.append(service)
            frames.append(contentsOf: extra)
        case .request(let ticket, let body), .partial(let ticket, let body), .final(let ticket, let body):
            begin(for: body)
            frames.append(ticket)
            frames.append([])
            frames.append(contentsOf: body)
        case .heartbeat(let extra), .disconnect(let extra):
            begin(for: extra)
            frames.append(contentsOf: extra)
        }
        return frames
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
            return .request(ticket: ticket, body: Array(rest))
        case (3, .v01), (4, .v02):
            let ticket = try address(&rest)
            return .final(ticket: ticket, body: Array(rest))
        case (3, .v02):
            let ticket = try address(&rest)
            return .partial(ticket: ticket, body: Array(rest))
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
