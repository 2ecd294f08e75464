/// A message between a client and the broker, in either version (RFC 7 and 18, "MDP/Client").
///
/// Version 0.1 has no command frame: a client sends only requests and receives only final replies.
public enum ClientMessage: Sendable, Equatable {
    case request(service: Frame, body: [Frame])
    case partial(service: Frame, body: [Frame])
    case final(service: Frame, body: [Frame])

    private var command: UInt8 {
        switch self {
        case .request: 1
        case .partial: 2
        case .final: 3
        }
    }

    public func encoded(_ version: MajordomoVersion) -> [Frame] {
        switch self {
        case .request(let service, let body), .partial(let service, let body), .final(let service, let body):
            var frames: [Frame] = []
            frames.reserveCapacity(body.count + 3)
            if version == .v01 { frames.append([]) }
            frames.append(version.clientHeader)
            if version == .v02 { frames.append(CommandFrame[command]) }
            frames.append(service)
            frames.append(contentsOf: body)
            return frames
        }
    }

    /// Reads a message of a client, beginning at the frame after the header.
    static func fromClient(
        _ frames: ArraySlice<Frame>, _ version: MajordomoVersion
    ) throws(MalformedMessage) -> ClientMessage {
        var rest = frames
        if version == .v02, rest.popFirst() != [1] { throw MalformedMessage(.clientCommand) }
        guard let service = rest.popFirst(), service.isServiceName else { throw MalformedMessage(.clientService) }
        return .request(service: service, body: Array(rest))
    }

    /// Reads a message of the broker to a client; nil for any other message.
    public static func fromBroker(_ frames: [Frame]) -> ClientMessage? {
        guard frames.count >= 3 else { return nil }
        if frames[0].isEmpty, frames[1] == MajordomoVersion.v01.clientHeader {
            return .final(service: frames[2], body: Array(frames[3...]))
        }
        guard frames[0] == MajordomoVersion.v02.clientHeader, frames[1].count == 1 else { return nil }
        switch frames[1][0] {
        case 2: return .partial(service: frames[2], body: Array(frames[3...]))
        case 3: return .final(service: frames[2], body: Array(frames[3...]))
        default: return nil
        }
    }
}
