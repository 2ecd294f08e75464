import MessageBus

@testable import BrokerMachine
@testable import Majordomo

extension BrokerRun {
    private static let services = ["echo", "echo2", "영화", "mmi.service", "mmi.echo", "x"].map(Frame.init(text:))
    private static let management = [
        "mmi.service", "mmi.services", "mmi.workers", "mmi.stats", "mmi.events", "mmi.ping", "mmi.info", "mmi.nothing",
    ].map(Frame.init(text:))
    private static let waits: [Int64] = [0, 1, 20, 50, 250, 500, 1000, 1500, 2500, 5000, 10_000, 60_000]

    /// Feeds one input to the broker.
    mutating func step(_ input: inout FuzzInput) {
        let (kind, from) = (input.number(below: 16), input.byte())
        let peer: PeerID = [0, from % 6]
        let version: MajordomoVersion = from & 0x80 == 0 ? .v02 : .v01
        switch kind {
        case 0, 1:
            let length = Self.waits[input.number(below: Self.waits.count)]
            wait(.milliseconds(length), isNoticed: kind == 0)
        case 2: receive(anyFrames(&input), from: peer)
        case 3, 4, 5: ask(&input, as: peer, version)
        case 6: say(.ready(service: service(&input), extra: []), as: peer, version)
        case 7, 8: join(&input, as: peer, version)
        case 9, 10: reply(&input, as: peer, version, isFinal: true)
        case 11: reply(&input, as: peer, version, isFinal: false)
        case 12: sendOther(&input, as: peer, version)
        case 13: inspect(&input, as: peer, version)
        case 14: cancel(&input, as: peer, version)
        default: fail(toReach: peer)
        }
    }

    private func anyFrames(_ input: inout FuzzInput) -> [Frame] {
        (0..<input.number(below: 8)).map { _ in input.frame() }
    }

    private func service(_ input: inout FuzzInput) -> Frame {
        let index = input.number(below: Self.services.count + 1)
        return index < Self.services.count ? Self.services[index] : input.frame()
    }

    private func requestID(_ input: inout FuzzInput) -> RequestID {
        RequestID(query: 1, call: UInt64(input.byte() % 8))
    }

    private func control(_ input: inout FuzzInput) -> ControlFrame {
        let flags = ControlFrame.Flags(rawValue: input.byte())
        let left = Self.waits[input.number(below: Self.waits.count)]
        return ControlFrame(id: requestID(&input), flags: flags, remainingMilliseconds: UInt32(left))
    }

    private mutating func ask(_ input: inout FuzzInput, as peer: PeerID, _ version: MajordomoVersion) {
        let isPlain = input.byte() & 1 == 1
        let service = service(&input)
        let body = (isPlain ? [] : [control(&input).encoded()]) + [input.frame()]
        receive(ClientMessage.request(service: service, body: MessageBody(body)).encoded(version), from: peer)
    }

    private mutating func join(_ input: inout FuzzInput, as peer: PeerID, _ version: MajordomoVersion) {
        let service = service(&input)
        let attributes = input.byte()
        let options = WorkerOptions(
            instance: "worker/\(attributes & 3)", capacity: Int(attributes >> 2 & 3) + 1,
            heartbeatInterval: .milliseconds(attributes & 0x10 == 0 ? 500 : 50), isExclusive: attributes & 0x20 != 0)
        say(.ready(service: service, extra: [options.encoded]), as: peer, version)
    }

    /// Replies with a ticket of this or another peer, or with similar bytes.
    private mutating func reply(
        _ input: inout FuzzInput, as peer: PeerID, _ version: MajordomoVersion, isFinal: Bool
    ) {
        let choice = input.byte()
        let holder: PeerID = choice & 0x40 == 0 ? peer : [0, choice % 6]
        let known = tickets[holder, default: []]
        let ticket = known.isEmpty || choice & 0x80 != 0 ? input.frame() : known[Int(choice & 7) % known.count]
        let body = choice & 0x20 == 0 ? [control(&input).encoded()] : [input.frame()]
        say(
            isFinal
                ? .final(ticket: ticket, body: MessageBody(body)) : .partial(ticket: ticket, body: MessageBody(body)),
            as: peer, version)
    }

    private mutating func sendOther(_ input: inout FuzzInput, as peer: PeerID, _ version: MajordomoVersion) {
        switch input.number(below: 4) {
        case 0: say(.disconnect(extra: []), as: peer, version)
        case 1: say(.heartbeat(extra: [WorkerMessage.drainFrame]), as: peer, version)
        case 2: say(.request(ticket: input.frame(), body: []), as: peer, version)
        default: say(.heartbeat(extra: []), as: peer, version)
        }
    }

    private mutating func inspect(_ input: inout FuzzInput, as peer: PeerID, _ version: MajordomoVersion) {
        let subject = Self.management[input.number(below: Self.management.count)]
        let body = (input.byte() & 1 == 0 ? [control(&input).encoded()] : []) + [service(&input)]
        receive(ClientMessage.request(service: subject, body: MessageBody(body)).encoded(version), from: peer)
    }

    private mutating func cancel(_ input: inout FuzzInput, as peer: PeerID, _ version: MajordomoVersion) {
        let control = control(&input)
        let id = Frame(ControlFrame(id: requestID(&input)).encoded()[8..<24])
        let body = [control.encoded(), id]
        receive(
            ClientMessage.request(service: Frame(text: "mmi.cancel"), body: MessageBody(body)).encoded(version),
            from: peer)
    }

    private mutating func say(_ message: WorkerMessage, as peer: PeerID, _ version: MajordomoVersion) {
        if let frames = message.encoded(version) { receive(frames, from: peer) }
    }
}
