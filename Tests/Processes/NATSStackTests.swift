import Foundation
import TestSupport
import Testing

extension ProcessTests.NATSLifecycleTests {
    /// The same programs over servers of NATS.
    @Suite(.serialized) struct NATSStackTests {
        private static let services = ["archive", "cache-store", "chart-fetcher", "detail-fetcher", "poster-resolver"]

        @Test func `every command works on a server of NATS`() async throws {
            try await TestStack.run(["--nats"]) { stack in
                let whole: ChartAnswer = try await stack.json("show", "2022-01-05")
                #expect(whole.complete)
                let again: ChartAnswer = try await stack.json("show", "2022-01-05")
                #expect(again.complete)
                #expect(try await !stack.processes().processes.contains { $0.service == "broker" })

                let workers = try await stack.answered("workers", "--lang", "en").output
                let pong = try await stack.answered("ping", "--lang", "en").output
                for service in Self.services {
                    #expect(workers.contains("\(service)/1"))
                    #expect(pong.contains("\(service)/1"))
                }
                try await stack.answered("stats")
                try await stack.answered("stats", "detail-fetcher")
                #expect(try await stack.gateway("stats", "broker").status != 0, "there is none")
                #expect(try await stack.answered("doctor", "--lang", "ko").output.contains("7개가 모두 응답합니다"))
                let events = try await stack.tap("--last", "500", "--for", "100ms", "--json")
                #expect(events.status == 0)
                #expect(events.output.contains("\"cache.get.answered\""))
                #expect(try await stack.launcher(["scale", "detail-fetcher=3"]).status == 0)
                #expect(try await stack.launcher(["scale", "broker=1"]).status == 64)
                let replaced = try await stack.launcher(["restart", "all"])
                #expect(replaced.status == 0, "\(replaced)")
                let last: ChartAnswer = try await stack.json("show", "2022-01-06")
                #expect(last.complete)
            }
        }

        @Test func `programs of others find the services by the micro protocol of NATS`() async throws {
            try await NATSServer.run { server in
                try await server.start(maxPayload: 4 << 20, hasJetStream: true)
                try await TestStack.run(environment: ["BOXOFFICE_BROKER": server.url]) { stack in
                    let micro = try stack.command(
                        Repository.root + "/Tests/Tools/NATSMicro/micro", [server.url] + Self.services)
                    let checked = try await micro.run()
                    #expect(checked.status == 0, "\(checked)")
                }
            }
        }

        @Test func `another user cannot connect to the servers of a stack`() async throws {
            try await TestStack.run(["--nats"]) { stack in
                let address = try String(contentsOfFile: stack.runFolder + "/bus", encoding: .utf8)
                    .trimmingCharacters(in: .whitespacesAndNewlines)
                // The servers show their certificate to everybody.
                let certificate = NSTemporaryDirectory() + "boxoffice-\(UUID().uuidString).pem"
                try FileManager.default.copyItem(atPath: stack.runFolder + "/bus.pem", toPath: certificate)
                defer { try? FileManager.default.removeItem(atPath: certificate) }
                // In a test without root the same user, without the run folder.
                let asNobody = getuid() == 0 ? ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"] : []
                for question in [["cache", "clear"], ["show", "2022-01-05"]] {
                    let gateway = try Repository.binaries + "/gateway"
                    var command = try stack.command("/usr/bin/env", asNobody + [gateway] + question + ["--lang", "en"])
                    command.environment.merge([
                        "BOXOFFICE_RUN": "/tmp/boxoffice-of-nobody", "BOXOFFICE_BROKER": address,
                        "BOXOFFICE_CA_FILE": certificate,
                    ]) { $1 }
                    let refused = try await command.run()
                    #expect(refused.status == 69 && refused.errors.contains("do not admit this program"), "\(refused)")
                }
                let given: ChartAnswer = try await stack.gateway(
                    "show", "2022-01-05", "--json", environment: ["BOXOFFICE_BROKER": address]
                ).decoded()
                #expect(given.complete, "the address may be named beside the run folder")
            }
        }

        @Test func `an answer survives the loss of one of three servers and of a fetcher`() async throws {
            try await TestStack.run(["--nats=3"]) { stack in
                let first: ChartAnswer = try await stack.json("show", "2022-01-05")
                #expect(first.complete)
                for (date, victim) in [("2022-01-06", "nats-server/1"), ("2022-01-07", "detail-fetcher/1")] {
                    let pid = try await stack.pid(of: victim)
                    try await stack.upstream.withLatency(milliseconds: 300) {
                        async let asked = stack.gateway("show", date, "--json", "--timeout", "20")
                        #expect(kill(pid, SIGKILL) == 0)
                        let answer: ChartAnswer = try await asked.decoded()
                        #expect(answer.complete, "without \(victim)")
                    }
                }
            }
        }

        @Test func `a suspended fetcher is passed over, and takes part again when it continues`() async throws {
            try await TestStack.run(["--nats", "detail-fetcher=2"]) { stack in
                let pid = try await stack.pid(of: "detail-fetcher/1")
                #expect(kill(pid, SIGSTOP) == 0)
                let without: ChartAnswer = try await stack.json("show", "2022-01-05", "--timeout", "20")
                #expect(without.complete)
                #expect(kill(pid, SIGCONT) == 0)
                let again: ChartAnswer = try await stack.json("show", "2022-01-06", "--timeout", "20")
                #expect(again.complete)
            }
        }

        @Test func `a stack joins the servers that the environment names`() async throws {
            try await NATSServer.run { server in
                try await server.start(maxPayload: 4 << 20, hasJetStream: true)
                try await TestStack.run(environment: ["BOXOFFICE_BROKER": server.url]) { stack in
                    let processes = try await stack.processes().processes
                    #expect(!processes.contains { ["broker", "nats-server"].contains($0.service) })
                    #expect(processes.allSatisfy { $0.state == "ready" })
                    let answer: ChartAnswer = try await stack.json("show", "2022-01-05")
                    #expect(answer.complete)
                    // The names of instances contain the host, since other hosts may use the same servers.
                    let workers = try await stack.answered("workers").output
                    #expect(workers.contains(/detail-fetcher\/[A-Za-z0-9-]+-1/))
                }
            }
        }

        @Test func `the keys of NATS decide what a program may do`() async throws {
            try await NATSServer.run { server in
                let certificate = try TestCertificate(of: "localhost", in: server.folder)
                let keys = "\(server.folder)/keys"
                try await TestStack.inRunFolder { stack in
                    for role in [["--operator", "stack"], ["--client", "asker"]] {
                        let made = try await stack.broker(["keygen", "--nats", "--keys", keys] + role)
                        #expect(made.status == 0 && made.output.contains("broker nats-config"), "\(made)")
                    }
                    let settings = try await stack.broker(
                        "nats-config", "--keys", keys, "--certificate", certificate.file, "--certificate-key",
                        certificate.keyFile)
                    try await server.start(maxPayload: nil, hasJetStream: true, settings: settings.output)
                }
                let bus = [
                    "BOXOFFICE_BROKER": server.url(scheme: "tls", host: "localhost"),
                    "BOXOFFICE_CA_FILE": certificate.file,
                    "BOXOFFICE_KEY_FILE": "\(keys)/nats/operators/stack.key",
                ]
                try await TestStack.run(environment: bus) { stack in
                    let asker = bus.merging(["BOXOFFICE_KEY_FILE": "\(keys)/nats/clients/asker.key"]) { $1 }
                    let asked = try await stack.gateway("show", "2022-01-05", "--json", environment: asker)
                    let answer: ChartAnswer = try asked.decoded()
                    #expect(answer.complete)
                    let watched = try await stack.tap("--last", "500", "--no-follow", "--json", environment: asker)
                    #expect(watched.output.contains("\"cache.get.answered\""), "\(watched)")
                    let refused = try await stack.gateway("cache", "clear", "--lang", "en", environment: asker)
                    #expect(refused.status == 77 && refused.errors.contains("broker keygen --nats"), "\(refused)")
                    #expect(try await stack.gateway("cache", "clear", environment: bus).status == 0)
                    let stranger = bus.filter { $0.key != "BOXOFFICE_KEY_FILE" }
                    let unknown = try await stack.gateway("ping", "--lang", "en", environment: stranger)
                    #expect(unknown.status == 69 && unknown.errors.contains("do not admit this program"), "\(unknown)")
                    let curve = try await stack.gateway(
                        "ping", "--lang", "en",
                        environment: bus.merging(["BOXOFFICE_KEY_FILE": certificate.keyFile]) { $1 })
                    #expect(curve.status == 78 && curve.errors.contains("holds no key of NATS"), "\(curve)")
                    let noFile = try await stack.gateway(
                        "ping", "--lang", "en", environment: bus.merging(["BOXOFFICE_CA_FILE": "/nowhere.pem"]) { $1 })
                    #expect(noFile.status == 78 && noFile.errors.contains("/nowhere.pem"), "\(noFile)")
                }
            }
        }

        @Test func `without a server the failure names its address`() async throws {
            try await TestStack.inRunFolder { stack in
                let address = "nats://127.0.0.1:1"
                let result = try await stack.gateway(
                    "show", "--lang", "en", environment: ["BOXOFFICE_BROKER": address])
                #expect(result.status == 69)
                #expect(result.description.contains("No NATS server answers at \(address)"), "\(result)")
                let refused = try await stack.launcher(["up", "--demo", "--nats=2"])
                #expect(refused.status == 64)
                #expect(refused.description.contains("1 or 3"), "\(refused)")
            }
        }
    }
}
