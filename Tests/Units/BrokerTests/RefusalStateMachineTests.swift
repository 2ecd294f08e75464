import Testing

@testable import BrokerCore
@testable import ZeroMQ

@Suite struct RefusalStateMachineTests {
    private static let delay = BrokerTiming.refusalReportDelay

    private func refusal(_ address: String?, _ cause: HandshakeFailure.Cause) -> RefusedPeer {
        RefusedPeer(HandshakeFailure(address: address, cause: cause))
    }

    private func refusal(_ address: String, key: UInt8) throws -> RefusedPeer {
        let question = ["1.0", "1", "curve", address, "", "CURVE"].map { Array($0.utf8) }
        return RefusedPeer(try ZAPRequest([[0], []] + question + [[UInt8](repeating: key, count: 32)]))
    }

    @Test func `each key at each address is reported once`() throws {
        var machine = RefusalStateMachine()
        let peers = [
            try refusal("a", key: 1), try refusal("a", key: 2), try refusal("b", key: 1), refusal("a", .clearText),
            refusal("b", .wrongServerKey),
        ]
        for peer in peers { #expect(machine.refused(peer, at: .zero) == peer) }
        for second in 1...100 {
            for peer in peers { #expect(machine.refused(peer, at: .seconds(second)) == nil) }
        }
        #expect(machine.refused(refusal("a", .otherProtocol), at: .zero) == nil, "no key at this address, again")
        #expect(machine.nextDeadline == nil)
    }

    @Test func `the oldest reports are forgotten first`() throws {
        var machine = RefusalStateMachine(maxEntries: 2)
        for address in ["a", "b", "c"] { #expect(machine.refused(refusal(address, .clearText), at: .zero) != nil) }
        #expect(machine.refused(refusal("c", .clearText), at: .zero) == nil)
        #expect(machine.refused(refusal("b", .clearText), at: .zero) == nil)
        #expect(machine.refused(refusal("a", .clearText), at: .zero) != nil)
    }

    @Test func `ever new keys of one address do not fill the stream`() throws {
        var machine = RefusalStateMachine(maxEntries: 100, maxEntriesPerAddress: 10)
        var reported = 0
        for key in 0..<200 where machine.refused(try refusal("a", key: UInt8(key)), at: .zero) != nil { reported += 1 }
        #expect(reported == 10)
        #expect(machine.refused(try refusal("b", key: 1), at: .zero) != nil)
    }

    @Test func `a handshake that was broken off is reported after a delay`() {
        var machine = RefusalStateMachine()
        let peer = refusal("a", .brokenOff)
        #expect(machine.refused(peer, at: .zero) == nil)
        #expect(machine.refused(peer, at: .seconds(1)) == nil)
        #expect(machine.nextDeadline == Self.delay)
        #expect(machine.ticked(at: Self.delay - .nanoseconds(1)) == [])
        #expect(machine.ticked(at: Self.delay) == [peer])
        #expect(machine.refused(peer, at: Self.delay) == nil)
        #expect(machine.nextDeadline == nil)
    }

    @Test(arguments: [-4, 0, 4])
    func `a legitimate peer that ended during its handshake is not reported`(second: Int) {
        var machine = RefusalStateMachine()
        let now = Duration.seconds(10)
        if second <= 0 { machine.admitted(at: "a", at: now + .seconds(second)) }
        #expect(machine.refused(refusal("a", .brokenOff), at: now) == nil)
        #expect(machine.refused(refusal("b", .brokenOff), at: now) == nil)
        #expect(machine.refused(refusal(nil, .brokenOff), at: now) == nil)
        if second > 0 { machine.admitted(at: "a", at: now + .seconds(second)) }
        #expect(machine.ticked(at: now + Self.delay) == [refusal("b", .brokenOff)])
    }

    @Test func `an earlier admission does not suppress a later report`() {
        var machine = RefusalStateMachine()
        machine.admitted(at: "a", at: .zero)
        #expect(machine.refused(refusal("a", .brokenOff), at: Self.delay) == nil)
        #expect(machine.ticked(at: Self.delay * 2) == [refusal("a", .brokenOff)])
    }

    @Test func `a peer that breaks off with and without an address is reported with it`() {
        var machine = RefusalStateMachine()
        for millisecond in 0..<4999 {
            let peer = refusal(millisecond.isMultiple(of: 2) ? "a" : nil, .brokenOff)
            #expect(machine.refused(peer, at: .milliseconds(millisecond)) == nil)
        }
        #expect(machine.ticked(at: .seconds(60)) == [refusal("a", .brokenOff)])
    }

    @Test func `a peer without an address that reconnects is reported with its address`() {
        var machine = RefusalStateMachine()
        #expect(machine.refused(refusal(nil, .clearText), at: .zero) == nil)
        #expect(machine.refused(refusal("a", .brokenOff), at: .seconds(1)) == nil)
        #expect(machine.refused(refusal("a", .clearText), at: .seconds(2)) == refusal("a", .clearText))
        #expect(machine.ticked(at: .seconds(60)) == [])
    }

    @Test func `a peer whose address is never read is reported without one`() {
        var machine = RefusalStateMachine()
        machine.admitted(at: "good", at: .zero)
        for second in 0..<10 {
            let now = Duration.seconds(second)
            #expect(machine.refused(refusal(nil, .otherProtocol), at: now) == nil)
            let expected = now == Self.delay ? [refusal(nil, .otherProtocol)] : []
            #expect(machine.ticked(at: now) == expected)
        }
    }

    @Test func `the number of delayed reports is bounded`() {
        var machine = RefusalStateMachine()
        for number in 0..<1000 { #expect(machine.refused(refusal("\(number)", .brokenOff), at: .zero) == nil) }
        #expect(machine.ticked(at: Self.delay).count == 16)
    }
}
