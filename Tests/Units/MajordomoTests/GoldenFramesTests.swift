import Majordomo
import MessageBus
import TestSupport
import Testing

@Suite struct GoldenFramesTests {
    @Test(arguments: try GoldenFrames.all("mdp-client"))
    func `a client message is decoded as in the vector`(_ vector: GoldenFrames) throws {
        let expected = try vector.clientMessage
        if vector.from == .client {
            let peer = try expected.map { PeerMessage.client(try vector.majordomo, $0) }
            #expect((try? PeerMessage(vector.wire)) == peer)
        } else {
            #expect(ClientMessage.fromBroker(vector.wire) == expected)
        }
    }

    @Test(arguments: try GoldenFrames.all("mdp-client").filter { $0.meaning != nil })
    func `a client message is encoded as in the vector`(_ vector: GoldenFrames) throws {
        let message = try #require(try vector.clientMessage)
        let version = try vector.majordomo
        #expect(message.encoded(version) == vector.wire)
    }

    @Test(arguments: try GoldenFrames.all("mdp-worker"))
    func `a worker message is decoded as in the vector`(_ vector: GoldenFrames) throws {
        let expected = try vector.workerMessage
        if vector.from == .worker {
            let peer = try expected.map { PeerMessage.worker(try vector.majordomo, $0) }
            #expect((try? PeerMessage(vector.wire)) == peer)
        } else {
            #expect(WorkerMessage.fromBroker(vector.wire) == expected)
        }
    }

    @Test(arguments: try GoldenFrames.all("mdp-worker").filter { $0.meaning != nil })
    func `a worker message is encoded as in the vector`(_ vector: GoldenFrames) throws {
        let message = try #require(try vector.workerMessage)
        let version = try vector.majordomo
        #expect(message.encoded(version) == vector.wire)
    }

    @Test func `version 0.1 has no PARTIAL`() {
        #expect(WorkerMessage.partial(ticket: [1], body: []).encoded(.v01) == nil)
    }

    @Test(arguments: try GoldenFrames.all("mdp-control"))
    func `a control frame is decoded and encoded as in the vector`(_ vector: GoldenFrames) throws {
        let frame = try #require(vector.wire.first)
        let expected = try vector.reading
        #expect(ControlFrame.read(frame) == expected)
        if case .control(let control) = expected { #expect(control.encoded() == frame) }
    }

    @Test func `a body without frames is plain`() {
        #expect(ControlFrame.read(nil) == .plain)
    }

    @Test(arguments: try GoldenFrames.all("mdp-options"))
    func `options are decoded and encoded as in the vector`(_ vector: GoldenFrames) throws {
        let frame = try #require(vector.wire.first)
        let expected = try vector.options
        #expect(WorkerOptions(frame) == expected)
        if let expected, vector.meaning?.canonical == true { #expect(expected.encoded == frame) }
    }
}

extension GoldenFrames {
    fileprivate var clientMessage: ClientMessage? {
        get throws {
            guard let meaning else { return nil }
            let service = Frame(text: try #require(meaning.service))
            let body = try #require(meaning.body).map(Frame.init(hexadecimal:))
            switch meaning.kind {
            case "request": return .request(service: service, body: MessageBody(body))
            case "partial": return .partial(service: service, body: MessageBody(body))
            case "final": return .final(service: service, body: MessageBody(body))
            default: throw UnknownKind(kind: meaning.kind)
            }
        }
    }

    fileprivate var workerMessage: WorkerMessage? {
        get throws {
            guard let meaning else { return nil }
            let extra = meaning.extra?.map(Frame.init(hexadecimal:)) ?? []
            let address = meaning.address.map(Frame.init(hexadecimal:)) ?? []
            let body = meaning.body?.map(Frame.init(hexadecimal:)) ?? []
            switch meaning.kind {
            case "ready": return .ready(service: Frame(text: try #require(meaning.service)), extra: extra)
            case "request": return .request(ticket: address, body: MessageBody(body))
            case "partial": return .partial(ticket: address, body: MessageBody(body))
            case "final": return .final(ticket: address, body: MessageBody(body))
            case "heartbeat": return .heartbeat(extra: extra)
            case "disconnect": return .disconnect(extra: extra)
            default: throw UnknownKind(kind: meaning.kind)
            }
        }
    }

    fileprivate var reading: ControlFrame.Reading {
        get throws {
            guard let meaning else { return .malformed }
            guard meaning.kind == "control" else { return .plain }
            let id = try #require(meaning.id)
            let query = try #require(UInt64(id.prefix(16), radix: 16))
            let call = try #require(UInt64(id.suffix(16), radix: 16))
            let names = try #require(meaning.flags)
            var flags: ControlFrame.Flags = []
            if names.contains("idempotent") { flags.insert(.idempotent) }
            if names.contains("refused") { flags.insert(.refused) }
            return .control(
                ControlFrame(
                    id: RequestID(query: query, call: call), flags: flags,
                    remainingMilliseconds: try #require(meaning.remainingMilliseconds),
                    attempts: try #require(meaning.attempts),
                    queuedMicroseconds: try #require(meaning.queuedMicroseconds)))
        }
    }

    fileprivate var options: WorkerOptions? {
        get throws {
            guard let meaning else { return nil }
            return WorkerOptions(
                instance: try #require(meaning.instance), capacity: try #require(meaning.capacity),
                heartbeatInterval: .milliseconds(try #require(meaning.heartbeatMilliseconds)),
                isExclusive: meaning.exclusive == true, process: meaning.process.flatMap { UInt64($0, radix: 16) })
        }
    }
}

private struct UnknownKind: Error { let kind: String? }
