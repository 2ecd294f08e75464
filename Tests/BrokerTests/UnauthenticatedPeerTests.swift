import Envelope
import MessageBus
import Synchronization
import TestSupport
import Testing
import ZeroMQ

@testable import BrokerCore

/// Whom the doors on the network keep out, and what is said of it.
@Suite(.timeLimit(.minutes(1))) struct UnauthenticatedPeerTests {
    enum UnauthenticatedPeer: String, CaseIterable {
        case withoutKey = "clear_text"
        case withAnotherServersKey = "wrong_server_key"
        case withAnUnlistedKey = "key_not_listed"
    }

    @Test(arguments: UnauthenticatedPeer.allCases, [.dealer, .push, .subscriber] as [SocketKind])
    func aStrangerGetsNothingAndIsReportedOnce(unauthenticatedPeer: UnauthenticatedPeer, kind: SocketKind) async throws
    {
        try await NetworkScene.run { scene in
            let own = try CurveKeyPair.random()
            let role = try scene.role(of: unauthenticatedPeer, own)
            try await scene.local.withBus("observer/1") { observer in
                let stream = try await observer.subscribe()
                let isReported = Atomic(false)
                async let reported = stream.namedRefusal { isReported.store(true, ordering: .relaxed) }
                // Refused peers come back: the address of one that is gone too fast is read the next time.
                while !isReported.load(ordering: .relaxed) { try await scene.knock(kind, role) }
                let refusal = try #require(try await reported)
                for _ in 0..<5 { try await scene.knock(kind, role) }
                observer.publish(.test("test.marker"))
                let later = try await stream.events(upTo: "test.marker")
                #expect(!later.contains { $0.kind == "broker.peer_refused" })
                #expect(!later.contains { $0.kind == "test.strange" })
                #expect(refusal.attributes["address"] == .text("127.0.0.1"))
                #expect(refusal.attributes["reason"] == .text(unauthenticatedPeer.rawValue))
                let shownKey: AttributeValue? =
                    unauthenticatedPeer == .withAnUnlistedKey ? .text(own.publicKey.description) : nil
                #expect(refusal.attributes["key"] == shownKey)
                await stream.close()
            }
        }
    }

    @Test(arguments: ["GET / HTTP/1.1\r\n\r\n", "\u{1}\0\u{2}\0x"])
    func whatIsNoZeroMQOfTodayGetsNoMoreThanAGreeting(text: String) async throws {
        try await expectRefusal(because: "other_protocol") { endpoint, _ in
            try RawConnection.exchange(Array(text.utf8), with: endpoint)
        }
    }

    /// Each time it stays twice as long, so that the broker sees it there once, however slow the machine.
    @Test func whoSaysNothingAndLeavesGetsNoMoreThanAGreeting() async throws {
        try await expectRefusal(because: "broken_off") { endpoint, attempt in
            try RawConnection.hangUp(on: endpoint, afterMilliseconds: 1 << min(attempt, 9))
        }
    }

    /// - Parameter answerTo: one attempt of so many before to come in, and what the broker said to it.
    private func expectRefusal(
        because reason: String, _ answerTo: (_ endpoint: String, _ attempt: Int) throws -> [UInt8]
    ) async throws {
        try await NetworkScene.run { scene in
            try await scene.local.withBus("observer/1") { observer in
                let stream = try await observer.subscribe()
                let isReported = Atomic(false)
                async let reported = stream.namedRefusal { isReported.store(true, ordering: .relaxed) }
                var attempt = 0
                while !isReported.load(ordering: .relaxed) {
                    // ZMTP's greeting: a signature, a version and the name of the mechanism, CURVE.
                    #expect(try answerTo(scene.endpoints.requests, attempt).count <= 64)
                    attempt += 1
                    await Task.yield()
                }
                let refusal = try #require(try await reported)
                #expect(refusal.attributes["address"] == .text("127.0.0.1"))
                #expect(refusal.attributes["reason"] == .text(reason))
                await stream.close()
            }
        }
    }
}

extension NetworkScene {
    fileprivate func role(of unauthenticatedPeer: UnauthenticatedPeerTests.UnauthenticatedPeer, _ own: CurveKeyPair)
        throws -> CurveRole?
    {
        switch unauthenticatedPeer {
        case .withoutKey: nil
        case .withAnotherServersKey: .client(own, server: own.publicKey)
        case .withAnUnlistedKey: .client(own, server: try keys.load().own.publicKey)
        }
    }

    /// One attempt to come in: ends when it has failed, and sees that nothing was said to it.
    fileprivate func knock(_ kind: SocketKind, _ role: CurveRole?) async throws {
        try await withContext { context in
            var options = SocketOptions()
            options.curve = role
            options.reconnectInterval = .seconds(60)
            if kind == .subscriber { options.subscriptions = [[]] }
            try await withSocket(kind, in: context, options: options) { socket in
                let monitor = try await socket.monitor(in: context)
                try await socket.connect(door(for: kind))
                if kind == .dealer {
                    _ = try await socket.sendIfReady(["MDPC02", "\u{1}", "mmi.services"].map { Array($0.utf8) })
                } else if kind == .push {
                    _ = try await socket.sendIfReady([JSONBytes.encode(Event.test("test.strange"))])
                }
                var event = try await monitor.next()
                while let seen = event, seen != .handshakeFailed, seen != .handshakeRefused {
                    #expect(seen != .handshakeSucceeded)
                    event = try await monitor.next()
                }
                if kind != .push { #expect(try await socket.receiveIfReady() == nil) }
                await monitor.close()
            }
        }
    }

    private func door(for kind: SocketKind) -> String {
        switch kind {
        case .push: endpoints.eventsIn
        case .subscriber: endpoints.events
        default: endpoints.requests
        }
    }
}

extension EventStream {
    /// The first refusal that names an address; then it is told. One that left too fast has none, and is a report of its own.
    fileprivate func namedRefusal(then tell: @Sendable () -> Void) async throws -> Event? {
        defer { tell() }
        while let (stamped, _) = try await next() {
            if stamped.event.kind == "broker.peer_refused", stamped.event.attributes["address"] != "unknown" {
                return stamped.event
            }
        }
        return nil
    }
}
