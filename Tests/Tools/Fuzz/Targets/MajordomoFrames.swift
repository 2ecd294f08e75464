import MessageBus

@testable import BrokerMachine
@testable import Majordomo

// Every format here is canonical: the encoder writes decoded input again byte for byte.

func readPeerMessage(_ frames: [Frame]) {
    guard let message = try? PeerMessage(frames) else { return }
    switch message {
    case .dispatch: fatalError("a message of a peer is never the broker's own")
    case .client(let version, let message):
        guard case .request = message else { fatalError("a client can only ask, and sent \(message)") }
        claim(message.encoded(version) == frames, "\(message) is written as \(message.encoded(version))")
    case .worker(let version, let message):
        claim(message.encoded(version) == frames, "\(message) is written as \(message.encoded(version) ?? [])")
    }
}

func readClientMessage(_ frames: [Frame]) {
    guard let message = ClientMessage.fromBroker(frames) else { return }
    if case .request = message { fatalError("a broker asks nothing of a client") }
    let version: MajordomoVersion = frames.first == [] ? .v01 : .v02
    claim(message.encoded(version) == frames, "\(message) is written as \(message.encoded(version))")
}

func readWorkerMessage(_ frames: [Frame]) {
    guard let message = WorkerMessage.fromBroker(frames) else { return }
    let version: MajordomoVersion = frames.first == [] ? .v01 : .v02
    claim(message.encoded(version) == frames, "\(message) is written as \(message.encoded(version) ?? [])")
}

func readControlFrame(_ frame: Frame) {
    let isOurs = frame.starts(with: ControlFrame.magic)
    switch ControlFrame.read(frame) {
    case .plain:
        claim(!isOurs, "a frame with the magic is not plain")
        claim(ControlFrame.id(in: frame) == nil, "an id in a plain frame")
    case .malformed:
        claim(isOurs, "without the magic nothing is wrong")
    case .control(let control):
        claim(control.encoded() == frame, "\(control) is written as \(control.encoded())")
        claim(ControlFrame.id(in: frame) == control.id, "another id than \(control.id)")
    }
    guard frame.count >= 26 else { return }
    let control = ControlFrame(
        id: RequestID(frame, at: 0), flags: ControlFrame.Flags(rawValue: frame[16]),
        remainingMilliseconds: frame.bigEndian(UInt32.self, at: 17), attempts: frame[21],
        queuedMicroseconds: frame.bigEndian(UInt32.self, at: 22))
    claim(ControlFrame.read(control.encoded()) == .control(control), "\(control) is not read again")
}

func readTicket(_ frame: Frame) {
    guard let ticket = Ticket(frame) else {
        return claim(frame.count != 17, "17 bytes are a ticket")
    }
    claim(ticket.encoded == frame, "\(ticket) is written as \(ticket.encoded)")
}

func readWorkerOptions(_ frame: Frame) {
    guard let options = WorkerOptions(frame) else { return }
    guard let again = WorkerOptions(options.encoded) else { fatalError("\(options) cannot be read again") }
    // Compared as bytes, since canonically equivalent texts are equal.
    claim(again.encoded == options.encoded && again == options, "\(options) is read again as \(again)")
}

extension Ticket {
    fileprivate var encoded: Frame {
        var frame: Frame = []
        withBytes { frame = Frame($0) }
        return frame
    }
}
