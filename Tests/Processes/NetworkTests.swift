import Foundation
import Testing

extension ProcessTests.LifecycleTests {
    /// A broker on the network, from the operator's side: arguments, files, exit codes.
    @Suite(.serialized) struct NetworkTests {
        @Test func `keygen writes files that only their owner may read and overwrites none`() async throws {
            try await TestStack.inRunFolder { stack in
                let folder = stack.runFolder + "/keys"
                // Independent of the shell's umask.
                let made = try await stack.shell(
                    "umask 0 && $BIN/broker keygen --keys '\(folder)' && $BIN/broker keygen --keys '\(folder)' --client a"
                )
                #expect(made.status == 0, "\(made)")
                for name in ["server.key", "server.pub", "clients/a.key", "clients/a.pub"] {
                    let attributes = try FileManager.default.attributesOfItem(atPath: "\(folder)/\(name)")
                    #expect(attributes[.posixPermissions] as? Int == 0o600, "\(name)")
                    let text = try String(contentsOfFile: "\(folder)/\(name)", encoding: .utf8)
                    #expect(text.count == 41 && made.output.contains("\(folder)/\(name)"))
                    if name.hasSuffix(".key") { #expect(!"\(made)".contains(text.prefix(40))) }
                }
                for name in ["", "/clients"] {
                    let attributes = try FileManager.default.attributesOfItem(atPath: folder + name)
                    #expect(attributes[.posixPermissions] as? Int == 0o700, "\(name)")
                }
                let again = try await stack.broker("keygen", "--keys", folder, "--lang", "en")
                #expect(again.status == 74 && again.errors.contains("Move it away first"), "\(again)")
                let badName = try await stack.broker("keygen", "--keys", folder, "--client", "../a")
                #expect(badName.status == 64, "\(badName)")
            }
        }

        @Test func `without keys a broker refuses the network and states the remedy`() async throws {
            try await TestStack.inRunFolder { stack in
                let folder = stack.runFolder + "/keys"
                let refused = try await stack.broker("run", "--bind", "tcp://127.0.0.1:5555", "--keys", folder)
                #expect(refused.status == 78, "\(refused)")
                for word in ["tcp://127.0.0.1:5555", folder, "broker keygen", "--insecure"] {
                    #expect(refused.errors.contains(word), "\(refused)")
                }
                #expect(!FileManager.default.fileExists(atPath: stack.runFolder + "/broker.ipc"))
            }
        }

        @Test(arguments: [
            ["--insecure"], ["--keys", "/x"], ["--bind", "ipc:///x"],
            ["--bind", "tcp://127.0.0.1:5555", "--keys", "/x", "--insecure"],
        ])
        func `a contradictory command line is a usage error`(arguments: [String]) async throws {
            try await TestStack.inRunFolder { stack in
                let result = try await stack.command(Repository.binaries + "/broker", arguments).run()
                #expect(result.status == 64, "\(result)")
            }
        }

        @Test func `a key that others may read keeps the broker from starting`() async throws {
            try await TestStack.inRunFolder { stack in
                let folder = stack.runFolder + "/keys"
                #expect(try await stack.broker("keygen", "--keys", folder).status == 0)
                try FileManager.default.setAttributes(
                    [.posixPermissions: 0o640], ofItemAtPath: folder + "/server.key")
                let refused = try await stack.broker("--bind", "tcp://127.0.0.1:5555", "--keys", folder)
                #expect(refused.status == 78 && refused.errors.contains("chmod 600"), "\(refused)")
            }
        }

        @Test func `only a listed key is authorised`() async throws {
            try await TestStack.inRunFolder { stack in
                let folder = stack.runFolder + "/keys"
                for arguments in [[], ["--client", "listed"], ["--client", "unauthenticatedPeer"]] {
                    #expect(try await stack.broker(["keygen", "--keys", folder] + arguments).status == 0)
                }
                try FileManager.default.removeItem(atPath: folder + "/clients/unauthenticatedPeer.pub")
                let listed = [
                    "BOXOFFICE_KEY_FILE": folder + "/clients/listed.key",
                    "BOXOFFICE_BROKER_KEY_FILE": folder + "/server.pub",
                ]
                try await stack.withBroker(["--keys", folder], ready: listed) { address in
                    let answered = try await stack.gateway("workers", "--broker", address, environment: listed)
                    #expect(answered.status == 0, "\(answered)")
                    let unauthenticatedPeer = listed.merging([
                        "BOXOFFICE_KEY_FILE": folder + "/clients/unauthenticatedPeer.key"
                    ]) { $1 }
                    let refused = try await stack.gateway(
                        "workers", "--broker", address, "--lang", "en", environment: unauthenticatedPeer)
                    #expect(refused.status == 69, "\(refused)")
                    #expect(refused.errors.contains("does not admit this program"), "\(refused)")
                    let withoutKey = try await stack.gateway("workers", "--broker", address)
                    #expect(withoutKey.status == 78, "\(withoutKey)")
                    #expect(withoutKey.errors.contains("BOXOFFICE_KEY_FILE"), "\(withoutKey)")
                    let clearText = try await stack.gateway(
                        "workers", "--broker", address, environment: ["BOXOFFICE_INSECURE": "1"])
                    #expect(clearText.status == 69, "\(clearText)")

                    // A tap reads the events over the run folder's sockets.
                    let reported = try await stack.tap("--last", "1000", "--no-follow", "--json")
                    let events = try reported.output.split(separator: "\n").map { try TapEvent.decode(String($0)) }
                    let refusals = events.filter {
                        $0.kind == "broker.peer_refused" && $0.says("reason", "key_not_listed")
                    }
                    #expect(refusals.count == 1, "\(reported)")
                    #expect(refusals.first?.says("address", "127.0.0.1") == true, "\(reported)")
                }
            }
        }

        @Test func `clear text is used only if both sides request it`() async throws {
            try await TestStack.inRunFolder { stack in
                let clearText = ["BOXOFFICE_INSECURE": "1"]
                try await stack.withBroker(["--insecure"], ready: clearText) { address in
                    let careful = try await stack.gateway("workers", "--broker", address)
                    #expect(careful.status == 78, "\(careful)")
                    let answered = try await stack.gateway("workers", "--broker", address, environment: clearText)
                    #expect(answered.status == 0, "\(answered)")
                }
            }
        }

        @Test func `a run folder that others may write to is not trusted`() async throws {
            try await TestStack.inRunFolder { stack in
                try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: stack.runFolder)
                for program in [["gateway", "ping"], ["tap", "--count", "1"], ["broker"]] {
                    let path = try Repository.binaries + "/" + program[0]
                    let result = try await stack.command(path, Array(program.dropFirst())).run()
                    #expect(result.status == 78 && result.errors.contains("chmod 700"), "\(program): \(result)")
                }
                try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: stack.runFolder)
            }
        }
    }
}
