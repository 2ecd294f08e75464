import Contracts
import Foundation
import ProcessKit
import Testing
import ZeroMQ

@testable import BrokerCore

@Suite struct PeerKeysTests {
    private let start = ContinuousClock.now

    private func withPeers(_ body: (KeyFolder, inout PeerKeys, CurvePublicKey) throws -> Void) async throws {
        try await withKeyFolder { keys in
            _ = try keys.makeServerKeys()
            var peers = try keys.load().peers
            try body(keys, &peers, try CurveKeyPair.random().publicKey)
        }
    }

    @Test func `a key is admitted while its file exists`() async throws {
        try await withPeers { (keys, peers, key) throws in
            #expect(peers.admit(key, at: start) { Issue.record($0) } == nil)
            try keys.list("\(key)\n", as: "a.pub")
            #expect(peers.admit(key, at: start + .seconds(1)) { Issue.record($0) } != nil)
            #expect(peers.admit(key, at: start + .seconds(1)) { Issue.record($0) } != nil)
            try keys.unlist("a.pub")
            #expect(peers.admit(key, at: start + .seconds(1)) { Issue.record($0) } == nil)
        }
    }

    @Test func `another key in the same file replaces the first`() async throws {
        try await withPeers { (keys, peers, key) throws in
            let next = try CurveKeyPair.random().publicKey
            try keys.list("\(key)\n", as: "a.pub")
            #expect(peers.admit(key, at: start) { Issue.record($0) } != nil)
            try keys.list("\(next)\n", as: "a.pub")
            #expect(peers.admit(key, at: start + .seconds(1)) { Issue.record($0) } == nil)
            #expect(peers.admit(next, at: start + .seconds(1)) { Issue.record($0) } != nil)
        }
    }

    @Test func `unknown keys cause at most one read of the folder a second`() async throws {
        try await withPeers { (keys, peers, key) throws in
            #expect(peers.admit(try CurveKeyPair.random().publicKey, at: start) { Issue.record($0) } == nil)
            try keys.list("\(key)\n", as: "a.pub")
            #expect(peers.admit(key, at: start + .milliseconds(999)) { Issue.record($0) } == nil)
            #expect(peers.admit(key, at: start + .seconds(1)) { Issue.record($0) } != nil)
        }
    }

    @Test func `an invalid file is ignored and logged once`() async throws {
        try await withPeers { (keys, peers, key) throws in
            try keys.list("half a k", as: "a.pub")
            try keys.list("\(key)\n", as: "b.pub")
            var errors: [String] = []
            #expect(peers.admit(key, at: start) { errors.append($0.description) } != nil)
            for second in 1...3 {
                let unknownKey = try CurveKeyPair.random().publicKey
                #expect(peers.admit(unknownKey, at: start + .seconds(second)) { errors.append($0.description) } == nil)
            }
            #expect(errors.count == 1)
            #expect(errors.first?.contains("\(keys.clients)/a.pub") == true)
        }
    }

    @Test func `an unreadable folder is reported with the reason`() throws {
        var peers = PeerKeys(try KeyFolder("/nonexistent", Environment([:])))
        var errors: [String] = []
        let key = try CurveKeyPair.random().publicKey
        #expect(peers.admit(key, at: start) { errors.append($0.description) } == nil)
        #expect(
            errors
                == ["clients", "workers", "operators"].map {
                    "The key folder /nonexistent/\($0) cannot be read: No such file or directory."
                })
    }

    @Test func `the folder of a key is its role`() async throws {
        try await withPeers { (keys, peers, _) throws in
            _ = try keys.makeKeys(of: .client, named: "a")
            _ = try keys.makeKeys(of: .worker, named: "a", service: "detail-fetcher")
            _ = try keys.makeKeys(of: .stackOperator, named: "a")
            let expected: [(Role, String?)] = [(.client, nil), (.worker, "detail-fetcher"), (.stackOperator, nil)]
            for (index, (role, service)) in expected.enumerated() {
                let file = KeyFile("\(keys.folder(of: role, service: service))/a.pub", .public)
                let key = try #require(CurvePublicKey(try file.text()))
                let principal = peers.admit(key, at: start + .seconds(index)) { Issue.record($0) }
                #expect(principal == Principal(key, role, service: service))
                #expect(principal.map(\.userID).flatMap(Principal.init(userID:)) == principal)
            }
        }
    }

    @Test func `a key whose file moves to another folder loses its connections`() async throws {
        try await withPeers { (keys, peers, key) throws in
            try keys.list("\(key)\n", as: "a.pub")
            #expect(peers.admit(key, at: start) { Issue.record($0) }?.role == .client)
            #expect(peers.takeRemoved(at: start + .seconds(1)) { Issue.record($0) } == [])
            try FileManager.default.moveItem(
                atPath: "\(keys.clients)/a.pub", toPath: "\(keys.folder(of: .stackOperator))/a.pub")
            #expect(peers.takeRemoved(at: start + .seconds(2)) { Issue.record($0) } == [key])
            #expect(peers.admit(key, at: start + .seconds(3)) { Issue.record($0) }?.role == .stackOperator)
        }
    }

    @Test func `the folder of an unknown service lists no worker`() async throws {
        try await withPeers { (keys, peers, key) throws in
            let folder = keys.folder(of: .worker, service: "mailer")
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            try Data("\(key)\n".utf8).write(to: URL(fileURLWithPath: "\(folder)/a.pub"))
            var errors: [String] = []
            #expect(peers.admit(key, at: start) { errors.append($0.description) } == nil)
            #expect(errors == ["\(folder) is the folder of no service. Move it away, or remove it."])
        }
    }
}
