/// A message between a client and the broker, in either version (RFC 7 and 18, "MDP/Client").
///
/// In 0.1 there is no command frame: what a client sends is a request, and what it gets is the final reply.
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
            switch version {
            case .v01: version.envelope + [version.clientHeader, service] + body
            case .v02: [version.clientHeader, [command], service] + body
            }
        }
    }

    /// Reads what a client sent.
    static func fromClient(_ frames: ArraySlice<Frame>, _ version: MajordomoVersion) -> ClientMessage? {
        switch version {
        case .v01:
            guard let service = frames.first, !service.isEmpty else { return nil }
            return .request(service: service, body: Array(frames.dropFirst()))
        case .v02:
            guard frames.count >= 2, frames.first == [1] else { return nil }
            let service = frames[frames.startIndex + 1]
            guard !service.isEmpty else { return nil }
            return .request(service: service, body: Array(frames.dropFirst(2)))
        }
    }

    /// Reads what the broker sent to a client; nil when it is no such message.
    public static func fromBroker(_ frames: [Frame]) -> ClientMessage? {
        if frames.count >= 3, frames[0].isEmpty, frames[1] == MajordomoVersion.v01.clientHeader {
            return .final(service: frames[2], body: Array(frames[3...]))
        }
        guard frames.count >= 3, frames[0] == MajordomoVersion.v02.clientHeader else { return nil }
        switch frames[1] {
        case [2]: return .partial(service: frames[2], body: Array(frames[3...]))
        case [3]: return .final(service: frames[2], body: Array(frames[3...]))
        default: return nil
        }
    }
}
