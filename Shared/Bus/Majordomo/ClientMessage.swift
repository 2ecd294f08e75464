public import MessageBus

/// A message between a client and the broker, in either version (RFC 7 and 18, "MDP/Client").
///
/// Version 0.1 has no command frame: a client sends only requests and receives only final replies.
public enum ClientMessage: Sendable, Equatable {
    case request(service: Frame, body: MessageBody)
    case partial(service: Frame, body: MessageBody)
    case final(service: Frame, body: MessageBody)

    /// The command byte of version 0.2.
    var command: UInt8 {
        switch self {
        case .request: 1
        case .partial: 2
        case .final: 3
        }
    }

    var service: Frame {
        switch self {
        case .request(let service, _), .partial(let service, _), .final(let service, _): service
        }
    }

    var body: MessageBody {
        switch self {
        case .request(_, let body), .partial(_, let body), .final(_, let body): body
        }
    }

    /// The frames on the wire.
    public func encoded(_ version: MajordomoVersion) -> [Frame] { PeerMessage.client(version, self).encoded }

    /// Reads a message of a client, beginning at the frame after the header.
    static func fromClient(
        _ frames: ArraySlice<Frame>, _ version: MajordomoVersion
    ) throws(MalformedMessage) -> ClientMessage {
        var rest = frames
        if version == .v02, rest.popFirst() != [1] { throw MalformedMessage(.clientCommand) }
        guard let service = rest.popFirst(), service.isServiceName else { throw MalformedMessage(.clientService) }
        return .request(service: service, body: MessageBody(rest))
    }

    /// Reads a message of the broker to a client; nil for any other message.
    public static func fromBroker(_ frames: [Frame]) -> ClientMessage? {
        guard frames.count >= 3 else { return nil }
        if frames[0].isEmpty, frames[1] == MajordomoVersion.v01.clientHeader {
            return .final(service: frames[2], body: MessageBody(frames[3...]))
        }
        guard frames[0] == MajordomoVersion.v02.clientHeader, frames[1].count == 1 else { return nil }
        switch frames[1][0] {
        case 2: return .partial(service: frames[2], body: MessageBody(frames[3...]))
        case 3: return .final(service: frames[2], body: MessageBody(frames[3...]))
        default: return nil
        }
    }
}
