import Contracts
import Foundation
import ProcessKit
import Testing

@testable import BrokerCore

@Suite struct NATSServerConfigurationTests {
    private func withFolder(_ body: (KeyFolder) throws -> Void) throws {
        let path = FileManager.default.temporaryDirectory.path + "/keys-\(UInt64.random(in: 0 ... .max))"
        defer { try? FileManager.default.removeItem(atPath: path) }
        try body(KeyFolder(path, Environment([:]), kind: .nats))
    }

    @Test func `keys have the form of nkeys`() {
        // From the reference implementation.
        let pair = NATSKeyPair(seed: Array(0..<32))
        #expect(pair.seed == "SUAAAAICAMCAKBQHBAEQUCYMBUHA6EARCIJRIFIWC4MBSGQ3DQOR4H776Y")
        #expect(pair.publicKey == "UAB2CB576PHBBPQ5ODORRZ2LYCMWPZGWGCN2KDK7DXOIMZASKUY3RLKK")
        #expect(NATSKeyPair.publicKey(in: pair.publicKey) == pair.publicKey)
    }

    @Test func `another text is no public key of a user`() {
        let key = NATSKeyPair.random().publicKey
        let pair = NATSKeyPair.random()
        let changed = key.dropLast() + (key.hasSuffix("A") ? "B" : "A")
        for text in [
            "", "U", key + "A", String(key.dropLast()), key.lowercased(), String(changed), pair.seed, key + " ",
        ] {
            #expect(NATSKeyPair.publicKey(in: text) == nil, "\(text)")
        }
    }

    @Test func `users have the permissions of their roles`() throws {
        try withFolder { keys in
            _ = try keys.makeKeys(of: .client, named: "asker")
            _ = try keys.makeKeys(of: .worker, named: "box-1", service: "chart-fetcher")
            _ = try keys.makeKeys(of: .stackOperator, named: "admin")
            let lines = try NATSServerConfiguration(keys, certificate: nil).text.split(separator: "\n")
            func user(_ name: String) throws -> Substring {
                let comment = try #require(lines.firstIndex { $0.hasSuffix("# \(name).pub") })
                return lines[comment + 1]
            }
            let (asker, worker, admin) = (
                try user("clients/asker"), try user("workers/chart-fetcher/box-1"), try user("operators/admin")
            )
            #expect(asker.contains(try KeyFile("\(keys.folder(of: .client))/asker.pub", .public).text()))
            #expect(asker.contains("\"boxoffice.request.*.chart.daily\""))
            #expect(!asker.contains("cache.put") && !asker.contains("allow_responses"))
            #expect(asker.contains("deny: [\"boxoffice.event.broker.*\""))
            #expect(worker.contains("cache.put") && worker.contains("\"boxoffice.request.chart-fetcher.>\""))
            #expect(!worker.contains("cache.clear") && worker.contains("allow_responses"))
            #expect(admin.contains("\"boxoffice.>\""))
        }
    }

    @Test func `a file without a key is refused by name`() throws {
        try withFolder { keys in
            _ = try keys.makeKeys(of: .client, named: "asker")
            let file = "\(keys.folder(of: .client))/asker.pub"
            try Data("no key\n".utf8).write(to: URL(filePath: file))
            try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file)
            let error = try #require(throws: StartupError.self) { try NATSServerConfiguration(keys, certificate: nil) }
            #expect(error.exitStatus == ExitStatus.configuration)
            #expect(error.description.contains(file) && error.description.contains("broker keygen --nats"))
        }
    }

    @Test func `without a key there is no configuration`() throws {
        try withFolder { keys in
            let error = try #require(throws: StartupError.self) { try NATSServerConfiguration(keys, certificate: nil) }
            #expect(error.exitStatus == ExitStatus.configuration && error.description.contains("keygen --nats"))
            _ = try keys.makeKeys(of: .client, named: "asker")
            try FileManager.default.removeItem(atPath: "\(keys.folder(of: .client))/asker.pub")
            _ = try #require(throws: StartupError.self) { try NATSServerConfiguration(keys, certificate: nil) }
        }
    }

    @Test func `a path with quotes stays one path`() throws {
        try withFolder { keys in
            _ = try keys.makeKeys(of: .client, named: "asker")
            let certificate = NATSServerConfiguration.Certificate(file: "/a \"b\\", keyFile: "/c")
            let text = try NATSServerConfiguration(keys, certificate: certificate).text
            #expect(text.contains("tls { cert_file: \"/a \\\"b\\\\\", key_file: \"/c\" }"))
        }
    }
}
