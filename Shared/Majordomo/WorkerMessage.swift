/// A message between a worker and the broker, in either version (RFC 7 and 18, "MDP/Worker").
///
/// `extra` frames of READY, HEARTBEAT and DISCONNECT are our extension (0.2 only) and empty on the wire of a plain peer.
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

    /// The frames on the wire; nil for what the version cannot say.
    public func encoded(_ version: MajordomoVersion) -> [Frame]? {
        guard let command = command(version) else { return nil }
        let head = version.envelope + [version.workerHeader, [command]]
        switch self {
        case .ready(let service, let extra): return head + [service] + extra
        case .request(let ticket, let body), .partial(let ticket, let body), .final(let ticket, let body):
            return head + [ticket, []] + body
        case .heartbeat(let extra), .disconnect(let extra): return head + extra
        }
    }

    /// Reads the frames from the command on; nil when they are no worker message of that version.
    static func decode(_ frames: ArraySlice<Frame>, _ version: MajordomoVersion) -> WorkerMessage? {
        guard let command = frames.first, command.count == 1 else { return nil }
        let rest = Array(frames.dropFirst())
        switch (command[0], version) {
        case (1, _):
            guard let service = rest.first, !service.isEmpty else { return nil }
            return .ready(service: service, extra: Array(rest.dropFirst()))
        case (2, _): return addressed(rest).map { .request(ticket: $0, body: $1) }
        case (3, .v01), (4, .v02): return addressed(rest).map { .final(ticket: $0, body: $1) }
        case (3, .v02): return addressed(rest).map { .partial(ticket: $0, body: $1) }
        case (4, .v01), (5, .v02): return .heartbeat(extra: rest)
        case (5, .v01), (6, .v02): return .disconnect(extra: rest)
        default: return nil
        }
    }

    /// Reads what the broker sent to a worker; nil when it is no such message.
    public static func fromBroker(_ frames: [Frame]) -> WorkerMessage? {
        if frames.count >= 3, frames[0].isEmpty, frames[1] == MajordomoVersion.v01.workerHeader {
            return decode(frames[2...], .v01)
        }
        guard frames.count >= 2, frames[0] == MajordomoVersion.v02.workerHeader else { return nil }
        return decode(frames[1...], .v02)
    }

    private static func addressed(_ frames: [Frame]) -> (Frame, [Frame])? {
        guard frames.count >= 2, frames[1].isEmpty else { return nil }
        return (frames[0], Array(frames[2...]))
    }
}
