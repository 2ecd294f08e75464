import ProcessKit
import Testing
import ZeroMQ

@testable import BrokerCore

@Suite struct ClientKeysTests {
    private let start = ContinuousClock.now

    private func list(_ body: (KeyFolder, inout ClientKeys, CurvePublicKey) throws -> Void) async throws {
        try await withKeyFolder { keys in
            _ = try keys.makeServerKeys()
            var clients = try keys.load().clients
            try body(keys, &clients, try CurveKeyPair.random().publicKey)
        }
    }

    @Test func aKeyCountsFromWhenItsFileIsThereUntilItIsGone() async throws {
        try await list { (keys, clients, key) throws in
            #expect(!clients.admits(key, at: start) { Issue.record($0) })
            try keys.list("\(key)\n", as: "a.pub")
            #expect(clients.admits(key, at: start + .seconds(1)) { Issue.record($0) })
            #expect(clients.admits(key, at: start + .seconds(1)) { Issue.record($0) })
            try keys.unlist("a.pub")
            #expect(!clients.admits(key, at: start + .seconds(1)) { Issue.record($0) })
        }
    }

    @Test func anotherKeyInTheSameFileTakesItsPlace() async throws {
        try await list { (keys, clients, key) throws in
            let next = try CurveKeyPair.random().publicKey
            try keys.list("\(key)\n", as: "a.pub")
            #expect(clients.admits(key, at: start) { Issue.record($0) })
            try keys.list("\(next)\n", as: "a.pub")
            #expect(!clients.admits(key, at: start + .seconds(1)) { Issue.record($0) })
            #expect(clients.admits(next, at: start + .seconds(1)) { Issue.record($0) })
        }
    }

    @Test func strangersMakeItReadTheFolderOnceASecondAtMost() async throws {
        try await list { (keys, clients, key) throws in
            #expect(!clients.admits(try CurveKeyPair.random().publicKey, at: start) { Issue.record($0) })
            try keys.list("\(key)\n", as: "a.pub")
            #expect(!clients.admits(key, at: start + .milliseconds(999)) { Issue.record($0) })
            #expect(clients.admits(key, at: start + .seconds(1)) { Issue.record($0) })
        }
    }

    @Test func aBadFileIsPassedOverAndSaidOnce() async throws {
        try await list { (keys, clients, key) throws in
            try keys.list("half a k", as: "a.pub")
            try keys.list("\(key)\n", as: "b.pub")
            var said: [String] = []
            #expect(clients.admits(key, at: start) { said.append($0.description) })
            for second in 1...3 {
                let unauthenticatedPeer = try CurveKeyPair.random().publicKey
                #expect(
                    !clients.admits(unauthenticatedPeer, at: start + .seconds(second)) { said.append($0.description) })
            }
            #expect(said.count == 1)
            #expect(said.first?.contains("\(keys.clients)/a.pub") == true)
        }
    }

    @Test func aFolderThatCannotBeReadIsSaidWithItsReason() throws {
        var clients = ClientKeys(folder: "/nonexistent/clients")
        var complaints: [String] = []
        let key = try CurveKeyPair.random().publicKey
        #expect(!clients.admits(key, at: start) { complaints.append($0.description) })
        #expect(complaints == ["The key folder /nonexistent/clients cannot be read: No such file or directory."])
    }
}
