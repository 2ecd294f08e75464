import Contracts
import Foundation
import InMemoryLogging
import Localization
import Logging
import ProcessKit
import Testing
import ZeroMQ

@testable import BrokerCore

@Suite struct KeyFolderTests {
    @Test func `keys are private to the user and match each other`() async throws {
        try await withKeyFolder { keys in
            let instructions = try keys.makeServerKeys()
            let clientInstructions = try keys.makeKeys(of: .client, named: "gateway-1")
            for file in [keys.serverKey, keys.serverPublicKey] {
                #expect(try keys.mode(of: file) == 0o600)
                #expect(instructions.ko.contains(file) && instructions.en.contains(file))
            }
            for file in ["\(keys.clients)/gateway-1.key", "\(keys.clients)/gateway-1.pub"] {
                #expect(try keys.mode(of: file) == 0o600)
                #expect(clientInstructions.ko.contains(file) && clientInstructions.en.contains(file))
            }
            for folder in [keys.path, keys.clients] { #expect(try keys.mode(of: folder) == 0o700) }

            let (own, clients) = try keys.load()
            #expect(try KeyFile(keys.serverPublicKey, .public).text() == own.publicKey.description)
            #expect(clients.count == 1)
            for text in [instructions, clientInstructions] { #expect(!"\(text)".contains(own.secretKey.revealed())) }
            let line = try String(contentsOfFile: keys.serverKey, encoding: .utf8)
            #expect(line.count == 41 && line.hasSuffix("\n"))
        }
    }

    @Test(arguments: ["server.key", "server.pub"])
    func `an existing key is never overwritten`(name: String) async throws {
        try await withKeyFolder { keys in
            _ = try keys.makeKeys(of: .client, named: "any")
            let file = "\(keys.path)/\(name)"
            try Data("mine".utf8).write(to: URL(fileURLWithPath: file))
            let error = try #require(throws: StartupError.self) { try keys.makeServerKeys() }
            #expect(error.exitStatus == ExitStatus.inputOutput)
            #expect(error.description.contains(file) && error.description.contains("Move it away"))
            #expect(try String(contentsOfFile: file, encoding: .utf8) == "mine")
            let other = name == "server.key" ? keys.serverPublicKey : keys.serverKey
            #expect(!FileManager.default.fileExists(atPath: other), "one half alone is of no use")
        }
    }

    @Test(arguments: ["", ".hidden", "../up", "a/b", "a b", "한국", "-x", String(repeating: "a", count: 64)])
    func `an invalid file name is refused`(name: String) async throws {
        try await withKeyFolder { keys in
            let error = try #require(throws: StartupError.self) { try keys.makeKeys(of: .client, named: name) }
            #expect(error.exitStatus == ExitStatus.usage)
            #expect(!FileManager.default.fileExists(atPath: keys.path))
        }
    }

    @Test(arguments: [0o755, 0o720, 0o701])
    func `a folder that other users can access is refused`(mode: Int) async throws {
        try await withKeyFolder { keys in
            _ = try keys.makeServerKeys()
            for folder in [keys.path, keys.clients] {
                try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: folder)
                let error = try #require(throws: StartupError.self) { try keys.load() }
                #expect(error.description.contains(folder) && error.description.contains("chmod 700"))
                try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: folder)
            }
            _ = try keys.load()
        }
    }

    @Test(arguments: [0o640, 0o604, 0o620, 0o644])
    func `a secret key that other users may access is refused by name`(mode: Int) async throws {
        try await withKeyFolder { keys in
            _ = try keys.makeServerKeys()
            try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: keys.serverKey)
            let error = try #require(throws: StartupError.self) { try keys.load() }
            #expect(error.exitStatus == ExitStatus.configuration)
            #expect(error.description.contains("chmod 600 '\(keys.serverKey)'"))
        }
    }

    @Test(arguments: [
        "", "short", String(repeating: "#", count: 40), "rq:rM>}U?@Lns47E1%kR.o@n%FcmmsL/@{H8]yf7 and more",
    ])
    func `a file without a key is refused by name at the start`(text: String) async throws {
        try await withKeyFolder { keys in
            _ = try keys.makeServerKeys()
            try keys.list(text, as: "bad.pub")
            let error = try #require(throws: StartupError.self) { try keys.load() }
            #expect(error.exitStatus == ExitStatus.configuration)
            #expect(error.description.contains("\(keys.clients)/bad.pub"))
            #expect(error.description.contains("40 characters of Z85"))
            try keys.unlist("bad.pub")
            // Files with other suffixes are ignored.
            try keys.list(text, as: "README")
            #expect(try keys.load().peers.count == 0)
        }
    }

    @Test func `a public key that other users may write is refused by name`() async throws {
        try await withKeyFolder { keys in
            _ = try keys.makeServerKeys()
            try keys.list("\(CurveKeyPair.random().publicKey)\n", as: "open.pub", mode: 0o662)
            let error = try #require(throws: StartupError.self) { try keys.load() }
            #expect(error.description.contains("\(keys.clients)/open.pub"))
            try keys.unlist("open.pub")
            try keys.list("\(CurveKeyPair.random().publicKey)\r\n", as: "readable.pub", mode: 0o644)
            #expect(try keys.load().peers.count == 1)
        }
    }

    @Test func `network endpoints require existing keys`() async throws {
        try await withKeyFolder { keys in
            let error = try #require(throws: StartupError.self) {
                try NetworkListener(at: "tcp://127.0.0.1:5555", keys: keys, logger: NetworkScene.logger)
            }
            #expect(error.exitStatus == ExitStatus.configuration)
            for word in ["tcp://127.0.0.1:5555", keys.path, "broker keygen", "--keys", "--insecure"] {
                #expect(error.description.contains(word))
            }
        }
    }

    @Test func `clear text causes a warning`() throws {
        let log = InMemoryLogHandler()
        let logger = Logger(label: "test") { _ in log }
        _ = try NetworkListener(at: "tcp://127.0.0.1:5555", keys: nil, logger: logger)
        #expect(log.entries.map(\.level) == [.warning])
        #expect(log.entries.first?.metadata["endpoint"] == "tcp://127.0.0.1:5555")
    }

    @Test(arguments: ["ipc:///run/broker.ipc", "tcp://127.0.0.1", "tcp://127.0.0.1:65534", "127.0.0.1:5555", ""])
    func `an invalid network address is a usage error`(address: String) throws {
        let error = try #require(throws: StartupError.self) {
            try NetworkListener(at: address, keys: nil, logger: NetworkScene.logger)
        }
        #expect(error.exitStatus == ExitStatus.usage)
        #expect(error.description.contains("'\(address)'") && error.description.contains("tcp://HOST:PORT"))
    }
}
