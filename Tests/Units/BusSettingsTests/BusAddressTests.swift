import BusSettings
import Foundation
import MessageBus
import ProcessKit
import ServiceKit
import TestSupport
import Testing

@Suite struct BusAddressTests {
    @Test(arguments: [
        ("nats://a:4223", ["nats://a:4223"]),
        ("nats://a,b:1,c.example", ["nats://a:4222", "nats://b:1", "nats://c.example:4222"]),
        ("nats://a,nats://b", ["nats://a:4222", "nats://b:4222"]), ("nats://[::1]:7", ["nats://[::1]:7"]),
        ("tls://a,b:1", ["tls://a:4222", "tls://b:1"]), ("tls://a,tls://b", ["tls://a:4222", "tls://b:4222"]),
    ])
    func `an address of NATS names one or more servers`(text: String, servers: [String]) throws {
        #expect(try BusAddress(text) == .nats(servers))
    }

    @Test(arguments: [
        "nats://", "nats://a,", "nats://,a", "nats://a:0", "nats://a:65536", "nats://a:b", "nats://a/b", "nats://a b",
        "natss://a", "http://a", "tls://", "tls://a,nats://b", "nats://a,tls://b",
    ])
    func `an invalid address is refused with the valid forms`(text: String) throws {
        let error = try #require(throws: StartupError.self) { try BusAddress(text) }
        #expect(error.description.contains("'\(text)'"))
        #expect(error.description.contains("nats://HOST:PORT"))
        #expect(error.exitStatus == 64)
    }

    @Test(
        arguments: [
            "nats://u:s3cretpw@a:1", "tls://u:s3cretpw@a", "s3cretpw@a", "nats://a,nats://s3cretpw@b",
            "tcp://u:s3cretpw@a:1000",
            "nats://u:a,b/s3cretpw?@a", "nats://a?token=s3cretpw", "ipc://u:s3cretpw@/x",
        ])
    func `a refused address is shown without what may be secret`(text: String) throws {
        let error = try #require(throws: StartupError.self) { try BusAddress(text) }
        #expect(!error.description.contains("s3cretpw"), "\(error)")
        #expect(error.description.contains("BOXOFFICE_KEY_FILE") == text.contains("@"))
    }

    @Test func `a given address comes before the environment's, before the run folder's`() throws {
        let environment = Environment(["BOXOFFICE_BROKER": "tcp://b:2000", "BOXOFFICE_RUN": "/c"])
        #expect(try BusAddress.find("tcp://a:1000", environment).text == "tcp://a:1000")
        #expect(try BusAddress.find(nil, environment).text == "tcp://b:2000")
        #expect(try BusAddress.find(nil, Environment(["BOXOFFICE_RUN": "/c"])).text == "ipc:///c/broker.ipc")
    }

    @Test func `the run folder's recorded address is used, unless others could have written it`() throws {
        let folder = FileManager.default.temporaryDirectory.path + "/bus-address-\(UInt64.random(in: 0 ... .max))"
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try Data("nats://127.0.0.1:4333\n".utf8).write(to: URL(fileURLWithPath: "\(folder)/bus"))
        let environment = Environment(["BOXOFFICE_RUN": folder])
        #expect(try BusAddress.find(nil, environment) == .nats(["nats://127.0.0.1:4333"]))
        try FileManager.default.setAttributes([.posixPermissions: 0o777], ofItemAtPath: folder)
        let error = try #require(throws: StartupError.self) { try BusAddress.find(nil, environment) }
        #expect(error.exitStatus == 78)
    }
}
