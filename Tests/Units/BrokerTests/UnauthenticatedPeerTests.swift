import Envelope
import Majordomo
import MessageBus
import ProcessKit
import Synchronization
import TestSupport
import Testing
import ZeroMQ

@testable import BrokerCore

/// Which peers the network endpoints refuse, and how the refusal is reported.
@Suite(.timeLimit(.minutes(1))) struct UnauthenticatedPeerTests {
    enum UnauthenticatedPeer: String, CaseIterable {
        case withoutKey = "clear_text"
        case withAnotherServersKey = "wrong_server_key"
        case withAnUnlistedKey = "key_not_listed"
    }

    @Test(arguments: UnauthenticatedPeer.allCases, [.dealer, .push, .subscriber] as [SocketKind])
    func `an unauthenticated peer receives nothing and is reported once`(
        unauthenticatedPeer: UnauthenticatedPeer, kind: SocketKind
    ) async throws {
        try await NetworkScene.run { scene in
            let own = try CurveKeyPair.random()
            let role = try scene.role(of: unauthenticatedPeer, own)
            try await scene.local.withBus("observer/1") { observer in
                let stream = try await observer.subscribe()
                let isReported = Atomic(false)
                async let reported = stream.refusalWithAddress { isReported.store(true, ordering: .relaxed) }
                // Refused peers reconnect: an address that was not read in time is read at the next attempt.
                while !isReported.load(ordering: .relaxed) { try await scene.attemptConnection(kind, role) }
                let refusal = try #require(try await reported)
                for _ in 0..<5 { try await scene.attemptConnection(kind, role) }
                observer.publish(.test("test.marker"))
                let later = try await stream.events(upTo: "test.marker")
                #expect(!later.contains { $0.kind == "broker.peer_refused" })
                #expect(!later.contains { $0.kind == "test.unauthenticated" })
                #expect(refusal.attributes["address"] == .text("127.0.0.1"))
                #expect(refusal.attributes["reason"] == .text(unauthenticatedPeer.rawValue))
                let reportedKey: AttributeValue? =
                    unauthenticatedPeer == .withAnUnlistedKey ? .text(own.publicKey.description) : nil
                #expect(refusal.attributes["key"] == reportedKey)
                await stream.close()
            }
        }
    }

    @Test(arguments: ["GET / HTTP/1.1\r\n\r\n", "\u{1}\0\u{2}\0x"])
    func `a peer of another protocol receives no more than a greeting`(text: String) async throws {
        try await expectRefusal(because: "other_protocol") { endpoint, _ in
            try RawConnection.exchange(Array(text.utf8), with: endpoint)
        }
    }

    /// Each attempt stays connected twice as long, so that the broker reads its address even on a slow machine.
    @Test func `a peer that disconnects without sending receives no more than a greeting`() async throws {
        try await expectRefusal(because: "broken_off") { endpoint, attempt in
            try RawConnection.hangUp(on: endpoint, afterMilliseconds: 1 << min(attempt, 9))
        }
    }

    /// - Parameter answerTo: makes one attempt to connect and returns the bytes that the broker sent.
    private func expectRefusal(
        because reason: String, _ answerTo: @escaping @Sendable (_ endpoint: String, _ attempt: Int) throws -> [UInt8]
    ) async throws {
        try await NetworkScene.run { scene in
            try await scene.local.withBus("observer/1") { observer in
                let stream = try await observer.subscribe()
                let isReported = Atomic(false)
                async let reported = stream.refusalWithAddress { isReported.store(true, ordering: .relaxed) }
                var attempt = 0
                while !isReported.load(ordering: .relaxed) {
                    // ZMTP's greeting: a signature, a version and the name of the mechanism, CURVE.
                    let (endpoint, number) = (scene.endpoints.requests, attempt)
                    #expect(try await runBlocking { try answerTo(endpoint, number) }.count <= 64)
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

    /// Makes one attempt to connect: ends when it has failed, and checks that nothing was received.
    fileprivate func attemptConnection(_ kind: SocketKind, _ role: CurveRole?) async throws {
        try await withContext { context in
            var options = SocketOptions()
            options.curve = role
            options.reconnectInterval = .seconds(60)
            if kind == .subscriber { options.subscriptions = [[]] }
            try await withSocket(kind, in: context, options: options) { socket in
                let monitor = try await socket.monitor(in: context)
                try await socket.connect(endpoint(for: kind))
                if kind == .dealer {
                    _ = try await socket.sendIfReady(["MDPC02", "\u{1}", "mmi.services"].map { Array($0.utf8) })
                } else if kind == .push {
                    _ = try await socket.sendIfReady([JSONBytes.encode(Event.test("test.unauthenticated"))])
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

    private func endpoint(for kind: SocketKind) -> String {
        switch kind {
        case .push: endpoints.eventsIn
        case .subscriber: endpoints.events
        default: endpoints.requests
        }
    }
}

extension EventStream {
    /// The first refusal with an address. A peer that disconnects too fast is reported without one.
    ///
    /// - Parameter notify: called at the end.
    fileprivate func refusalWithAddress(then notify: @Sendable () -> Void) async throws -> Event? {
        defer { notify() }
        while let (stamped, _) = try await next() {
            if stamped.event.kind == "broker.peer_refused", stamped.event.attributes["address"] != "unknown" {
                return stamped.event
            }
        }
        return nil
    }
}
