import BusSettings
import Foundation
import Localization
import Majordomo
import MajordomoBus
import MessageBus
import ProcessKit
import ServiceKit
import TestSupport
import Testing

@Suite struct BusConfigurationTests {
    private static let tcp = "tcp://192.0.2.1:5555"
    /// The key pair in ZeroMQ's documentation (zmq_curve).
    private static let secretKey = "JTKVSB%%)wK0E.X)V>+}o?pNmC{O&4W4b!Ni{Lh6"
    private static let publicKey = "rq:rM>}U?@Lns47E1%kR.o@n%FcmmsL/@{H8]yf7"

    private func find(
        _ broker: String?, _ variables: [String: String], runFolder: RunFolderUse = .required
    ) throws -> BusConfiguration {
        try BusConfiguration.find(broker, Environment(variables), instance: "test/1", runFolder: runFolder)
    }

    private func withKeyFiles(_ body: ([String: String]) throws -> Void) throws {
        try withTemporaryFolder { folder in
            let files = [
                "BOXOFFICE_KEY_FILE": "\(folder)/own.key", "BOXOFFICE_BROKER_KEY_FILE": "\(folder)/server.pub",
            ]
            try write(Self.secretKey, to: "\(folder)/own.key")
            try write(Self.publicKey, to: "\(folder)/server.pub")
            try body(files)
        }
    }

    private func write(_ text: String, to path: String, mode: Int = 0o600) throws {
        try Data("\(text)\n".utf8).write(to: URL(fileURLWithPath: path))
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
    }

    @Test func `a broker on the network is used with keys`() throws {
        try withKeyFiles { files in
            let configuration = try find(Self.tcp, files)
            #expect(try configuration.broker.credentials != nil)
            #expect(try configuration.broker.endpoints.requests == Self.tcp)
            #expect(configuration.instance == "test/1")
            #expect(try find(nil, files.merging(["BOXOFFICE_BROKER": Self.tcp]) { $1 }).broker.credentials != nil)
        }
    }

    @Test func `a broker on the network is used in clear text on request`() throws {
        #expect(try find(Self.tcp, ["BOXOFFICE_INSECURE": "1"]).broker.credentials == nil)
    }

    @Test(
        arguments: [
            ([:], ["BOXOFFICE_KEY_FILE", "BOXOFFICE_BROKER_KEY_FILE", "broker keygen", "BOXOFFICE_INSECURE=1"]),
            (["BOXOFFICE_INSECURE": "0"], ["no keys for it are set"]),
            (["BOXOFFICE_INSECURE": "yes"], ["BOXOFFICE_INSECURE=yes is not", "0 to 1"]),
            (["BOXOFFICE_KEY_FILE": "/a"], ["BOXOFFICE_BROKER_KEY_FILE is not"]),
            (["BOXOFFICE_KEY_FILE": "/a", "BOXOFFICE_INSECURE": "1"], ["BOXOFFICE_BROKER_KEY_FILE is not"]),
            (["BOXOFFICE_BROKER_KEY_FILE": "/a"], ["BOXOFFICE_KEY_FILE is not"]),
            (
                ["BOXOFFICE_KEY_FILE": "/a", "BOXOFFICE_BROKER_KEY_FILE": "/b", "BOXOFFICE_INSECURE": "1"],
                ["Take one away"]
            ),
            (
                ["BOXOFFICE_KEY_FILE": "/nowhere/a", "BOXOFFICE_BROKER_KEY_FILE": "/b"],
                ["/nowhere/a", "No such file"]
            ),
        ] as [([String: String], [String])])
    func `the error states the wrong settings and the remedy`(variables: [String: String], words: [String]) throws {
        let error = try #require(throws: StartupError.self) { try find(Self.tcp, variables) }
        #expect(error.exitStatus == 78)
        for word in words { #expect(error.description.contains(word)) }
    }

    @Test(arguments: [
        ("BOXOFFICE_KEY_FILE", 0o604), ("BOXOFFICE_KEY_FILE", 0o660), ("BOXOFFICE_BROKER_KEY_FILE", 0o602),
    ])
    func `a key file that is accessible to others is refused by name`(variable: String, mode: Int) throws {
        try withKeyFiles { files in
            let file = try #require(files[variable])
            try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: file)
            let error = try #require(throws: StartupError.self) { try find(Self.tcp, files) }
            #expect(error.exitStatus == 78)
            #expect(error.description.contains(file) && error.description.contains("chmod"))
        }
    }

    @Test(arguments: ["BOXOFFICE_KEY_FILE", "BOXOFFICE_BROKER_KEY_FILE"])
    func `a file without a key is refused by name, without its contents`(variable: String) throws {
        try withKeyFiles { files in
            let file = try #require(files[variable])
            try write(Self.secretKey + "0", to: file)
            let error = try #require(throws: StartupError.self) { try find(Self.tcp, files) }
            #expect(error.exitStatus == 78)
            #expect(error.description.contains(file) && error.description.contains("40 characters of Z85"))
            #expect(!error.description.contains(Self.secretKey))
        }
    }

    @Test func `a folder or a pipe as a key file is refused without waiting`() throws {
        try withKeyFiles { files in
            let file = try #require(files["BOXOFFICE_KEY_FILE"])
            try FileManager.default.removeItem(atPath: file)
            try #require(mkfifo(file, 0o600) == 0)
            #expect(throws: StartupError.self) { try find(Self.tcp, files) }
            try FileManager.default.removeItem(atPath: file)
            try FileManager.default.createDirectory(atPath: file, withIntermediateDirectories: false)
            #expect(throws: StartupError.self) { try find(Self.tcp, files) }
        }
    }

    @Test func `credentials are never printed`() throws {
        try withKeyFiles { files in
            let configuration = try find(Self.tcp, files)
            var dumped = ""
            dump(configuration, to: &dumped)
            for text in ["\(configuration)", String(reflecting: configuration), dumped] {
                #expect(!text.contains(Self.secretKey) && !text.contains("142"))
            }
        }
    }

    @Test func `a client makes no run folder, and its error says that no stack runs`() throws {
        try withTemporaryFolder { parent in
            let folder = "\(parent)/run"
            let error = try #require(throws: StartupError.self) { _ = try find(nil, ["BOXOFFICE_RUN": folder]) }
            #expect(error.exitStatus == ExitStatus.unavailable)
            for language in Language.allCases {
                #expect(error.message(language).contains(folder) && error.message(language).contains("up --demo"))
            }
            _ = try find(nil, ["BOXOFFICE_RUN": folder], runFolder: .optional)
            #expect(!FileManager.default.fileExists(atPath: folder))
        }
    }

    @Test func `sockets are trusted only in a private folder`() throws {
        try withTemporaryFolder { parent in
            let folder = "\(parent)/run"
            for find in [
                { try self.find(nil, ["BOXOFFICE_RUN": folder], runFolder: .made) },
                { try self.find("ipc://\(folder)/broker.ipc", [:], runFolder: .made) },
            ] {
                #expect(try find().broker.endpoints.events == "ipc://\(folder)/events.ipc")
                // Created immediately, so that no other user can create it during the wait for a broker.
                #expect(try FileManager.default.attributesOfItem(atPath: folder)[.posixPermissions] as? Int == 0o700)
                try FileManager.default.setAttributes([.posixPermissions: 0o770], ofItemAtPath: folder)
                let error = try #require(throws: StartupError.self) { _ = try find() }
                #expect(error.exitStatus == 78)
                #expect(error.description.contains("chmod 700 '\(folder)'"))
                try FileManager.default.removeItem(atPath: folder)
            }
        }
    }
}

extension BusConfiguration {
    struct IsOfNATS: Error {}

    var broker: MajordomoConfiguration {
        get throws {
            guard let broker = transport as? MajordomoConfiguration else { throw IsOfNATS() }
            return broker
        }
    }
}
