import Testing

@testable import ZeroMQ

@Suite struct HandshakeStateMachineTests {
    private typealias Event = HandshakeStateMachine.Event

    private func failures(_ events: [Event]) -> [HandshakeFailure] {
        var machine = HandshakeStateMachine()
        return events.compactMap { machine.received($0) }
    }

    @Test func `a peer that disconnects after its handshake is no failure`() {
        #expect(failures([.accepted(connection: 5, address: "a"), .settled, .ended(connection: 5)]).isEmpty)
    }

    @Test(arguments: [.clearText, .wrongServerKey, .otherProtocol, .brokenOff] as [HandshakeFailure.Cause])
    func `a failure belongs to the connection that ends with it`(cause: HandshakeFailure.Cause) {
        let events: [Event] = [
            .accepted(connection: 5, address: "good"), .accepted(connection: 6, address: "bad"), .failed(cause),
            .ended(connection: 6), .settled, .ended(connection: 5),
        ]
        #expect(failures(events) == [HandshakeFailure(address: "bad", cause: cause)])
    }

    @Test func `a connection that ends without any handshake used another protocol`() {
        let events: [Event] = [
            .accepted(connection: 5, address: "good"), .settled, .accepted(connection: 6, address: "web"),
            .ended(connection: 6),
        ]
        #expect(failures(events) == [HandshakeFailure(address: "web", cause: .otherProtocol)])
    }

    @Test func `no failure is reported when another handshake succeeded meanwhile`() {
        let events: [Event] = [
            .accepted(connection: 5, address: "a"), .accepted(connection: 6, address: "b"), .settled,
            .ended(connection: 6), .ended(connection: 5),
        ]
        #expect(failures(events).isEmpty)
    }

    @Test func `a reused descriptor is another peer`() {
        let events: [Event] = [
            .accepted(connection: 5, address: "a"), .settled, .ended(connection: 5),
            .accepted(connection: 5, address: "b"), .failed(.clearText), .ended(connection: 5),
        ]
        #expect(failures(events) == [HandshakeFailure(address: "b", cause: .clearText)])
    }

    @Test func `the end of an unknown connection is no failure`() {
        #expect(failures([.failed(.clearText), .ended(connection: 9), .settled]).isEmpty)
    }

    @Test func `an address that could not be read stays unknown`() {
        #expect(
            failures([.accepted(connection: 5, address: nil), .failed(.clearText), .ended(connection: 5)])
                == [HandshakeFailure(address: nil, cause: .clearText)])
    }
}
