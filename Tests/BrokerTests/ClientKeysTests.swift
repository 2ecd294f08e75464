import ProcessKit
import Testing
import ZeroMQ

@testable import BrokerCore

@Suite struct ClientKeysTests {
    private let start = ContinuousClock.now

    private func withClients(_ body: (KeyFolder, inout ClientKeys, CurvePublicKey) throws -> Void) async throws {
        try await withKeyFolder { keys in
            _ = try keys.makeServerKeys()
            var clients = try keys.load().clients
            try body(keys, &clients, try CurveKeyPair.random().publicKey)
        }
    }

    @Test func `a key is admitted while its file exists`() async throws {
        try await withClients { (keys, clients, key) throws in
            #expect(!clients.admits(key, at: start) { Issue.record($0) })
            try keys.list("\(key)\n", as: "a.pub")
            #expect(clients.admits(key, at: start + .seconds(1)) { Issue.record($0) })
            #expect(clients.admits(key, at: start + .seconds(1)) { Issue.record($0) })
            try keys.unlist("a.pub")
            #expect(!clients.admits(key, at: start + .seconds(1)) { Issue.record($0) })
        }
    }

    @Test func `another key in the same file replaces the first`() async throws {
        try await withClients { (keys, clients, key) throws in
            let next = try CurveKeyPair.random().publicKey
            try keys.list("\(key)\n", as: "a.pub")
            #expect(clients.admits(key, at: start) { Issue.record($0) })
            try keys.list("\(next)\n", as: "a.pub")
            #expect(!clients.admits(key, at: start + .seconds(1)) { Issue.record($0) })
            #expect(clients.admits(next, at: start + .seconds(1)) { Issue.record($0) })
        }
    }

    @Test func `unknown keys cause at most one read of the folder a second`() async throws {
        try await withClients { (keys, clients, key) throws in
            #expect(!clients.admits(try CurveKeyPair.random().publicKey, at: start) { Issue.record($0) })
            try keys.list("\(key)\n", as: "a.pub")
            #expect(!clients.admits(key, at: start + .milliseconds(999)) { Issue.record($0) })
            #expect(clients.admits(key, at: start + .seconds(1)) { Issue.record($0) })
        }
    }

    @Test func `an invalid file is ignored and logged once`() async throws {
        try await withClients { (keys, clients, key) throws in
            try keys.list("half a k", as: "a.pub")
            try keys.list("\(key)\n", as: "b.pub")
            var errors: [String] = []
            #expect(clients.admits(key, at: start) { errors.append($0.description) })
            for second in 1...3 {
                let unknownKey = try CurveKeyPair.random().publicKey
                #expect(!clients.admits(unknownKey, at: start + .seconds(second)) { errors.append($0.description) })
            }
            #expect(errors.count == 1)
            #expect(errors.first?.contains("\(keys.clients)/a.pub") == true)
        }
    }

    @Test func `an unreadable folder is reported with the reason`() throws {
        var clients = ClientKeys(folder: "/nonexistent/clients")
        var errors: [String] = []
        let key = try CurveKeyPair.random().publicKey
        #expect(!clients.admits(key, at: start) { errors.append($0.description) })
        #expect(errors == ["The key folder /nonexistent/clients cannot be read: No such file or directory."])
    }
}
