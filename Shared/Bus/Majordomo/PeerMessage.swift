public import MessageBus

/// The address of a peer at the broker's ROUTER socket: opaque, and valid only while the connection lasts.
public typealias PeerID = [UInt8]

/// A message of a peer of the broker: the first frames identify side and version.
public enum PeerMessage: Sendable, Equatable {
    case client(MajordomoVersion, ClientMessage)
    case worker(MajordomoVersion, WorkerMessage)
    /// The broker's REQUEST to a worker, with its ticket as the client's address; read as a worker's message.
    case dispatch(MajordomoVersion, Ticket, MessageBody)

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

    // MARK: On the wire

    /// The frames on the wire.
    public var encoded: [Frame] {
        var frames: [Frame] = []
        frames.reserveCapacity(frameCount)
        forEachFrame { frames.append(Frame($0)) }
        return frames
    }

    /// The bytes of all frames.
    public var byteCount: Int {
        var count = 0
        forEachFrame { count += $0.count }
        return count
    }

    /// The number of frames; 0 for a PARTIAL of a worker in 0.1, which has none.
    public var frameCount: Int {
        switch self {
        case .client(_, let message): 3 + message.body.frameCount
        case .dispatch(let version, _, let content): version.envelopeCount + 4 + content.frameCount
        case .worker(let version, let message):
            message.command(version) == nil ? 0 : version.envelopeCount + 2 + message.frameCountAfterCommand
        }
    }

    /// Passes on the bytes of each frame, in order: a socket needs no array of them.
    public func forEachFrame(_ body: (UnsafeRawBufferPointer) -> Void) {
        let empty = UnsafeRawBufferPointer(start: nil, count: 0)
        switch self {
        case .client(let version, let message):
            if version == .v01 { body(empty) }
            version.clientHeader.withUnsafeBytes(body)
            if version == .v02 { CommandFrame[message.command].withUnsafeBytes(body) }
            message.service.withUnsafeBytes(body)
            message.body.forEachFrame(body)
        case .dispatch(let version, let ticket, let content):
            if version == .v01 { body(empty) }
            version.workerHeader.withUnsafeBytes(body)
            CommandFrame[2].withUnsafeBytes(body)
            ticket.withBytes(body)
            body(empty)
            content.forEachFrame(body)
        case .worker(let version, let message):
            guard let command = message.command(version) else { return }
            if version == .v01 { body(empty) }
            version.workerHeader.withUnsafeBytes(body)
            CommandFrame[command].withUnsafeBytes(body)
            switch message {
            case .ready(let service, let extra):
                service.withUnsafeBytes(body)
                for frame in extra { frame.withUnsafeBytes(body) }
            case .request(let ticket, let content), .partial(let ticket, let content), .final(let ticket, let content):
                ticket.withUnsafeBytes(body)
                body(empty)
                content.forEachFrame(body)
            case .heartbeat(let extra), .disconnect(let extra):
                for frame in extra { frame.withUnsafeBytes(body) }
            }
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

extension Frame {
    /// A printable string by RFC 7, with the bound of its length byte: 1...255 bytes of UTF-8.
    var isServiceName: Bool { (1...255).contains(count) && isPrintable }
}
