import Contracts
import Envelope
import Foundation
import Localization
import MessageBus
import PollLoop
import ProcessKit
import TestSupport
import Testing

@testable import BrokerCore
@testable import NATS

/// Whom real servers of NATS admit with the configuration that we generate, and what those who are not admitted learn.
@Suite(.timeLimit(.minutes(1))) struct NATSAdmissionTests {
    private func keys(_ server: NATSServer) throws -> KeyFolder {
        try KeyFolder("\(server.folder)/keys", Environment([:]), kind: .nats)
    }

    /// The file of new keys of an operator.
    private func makeOperator(_ name: String, in keys: KeyFolder) throws -> String {
        _ = try keys.makeKeys(of: .stackOperator, named: name)
        return "\(keys.folder(of: .stackOperator))/\(name).key"
    }

    private func configuration(_ url: String, keyFile: String? = nil, trusted: String? = nil) throws -> BusConfiguration
    {
        var nats = NATSConfiguration(servers: [url])
        nats.dispatch.serverGrace = .milliseconds(500)
        nats.trustedCertificates = trusted
        if let keyFile { try #require(nats.useKey(try KeyFile(keyFile, .secret).text(), in: keyFile)) }
        return BusConfiguration(nats, instance: "client/1")
    }

    /// The failure of a request, and what the process reports by itself.
    private func failure(_ configuration: BusConfiguration) async throws -> (asked: Failure, reported: Failure?) {
        let (problems, hasProblem) = AsyncStream.makeStream(of: Failure.self)
        var configuration = configuration
        configuration.onProblem = { hasProblem.yield($0) }
        var asked: Failure?
        var reported: Failure?
        try await withMessageBus(configuration) { bus in
            // The first attempt has failed; a question before has nothing to say about it.
            var reports = problems.makeAsyncIterator()
            reported = await reports.next()
            asked = await #expect(throws: Failure.self) { try await bus.ask("echo") }
        }
        return (try #require(asked), reported)
    }

    @Test func `a program with an unlisted key, or with none, learns that it is not admitted`() async throws {
        try await NATSServer.run { server in
            let keys = try keys(server)
            _ = try makeOperator("listed", in: keys)
            let settings = try NATSServerConfiguration(keys, certificate: nil).text
            let other = try makeOperator("other", in: keys)
            try await server.start(maxPayload: nil, settings: settings)
            for keyFile in [other, nil] {
                let (asked, reported) = try await failure(configuration(server.url, keyFile: keyFile))
                #expect(asked.code == .brokerLost && !asked.isRetryable)
                #expect(asked.message.en.contains("BOXOFFICE_KEY_FILE") && asked.message.en.contains(server.url))
                #expect(asked.message.ko.contains("BOXOFFICE_KEY_FILE"))
                #expect(reported?.message == asked.message)
            }
        }
    }

    @Test func `a key that is listed later needs no restart of the program, and one that is removed ends it`()
        async throws
    {
        try await NATSServer.run { server in
            let keys = try keys(server)
            let file = try makeOperator("late", in: keys)
            let listed = try NATSServerConfiguration(keys, certificate: nil).text
            try FileManager.default.removeItem(atPath: file.replacing(".key", with: ".pub"))
            _ = try makeOperator("other", in: keys)
            let unlisted = try NATSServerConfiguration(keys, certificate: nil).text
            try await server.start(maxPayload: nil, settings: unlisted)
            let configuration = try configuration(server.url, keyFile: file)
            try await withMessageBus(configuration) { (bus) async throws in
                _ = await #expect(throws: Failure.self) { try await bus.ping(deadline: .now + .milliseconds(300)) }
                try await server.reload(settings: listed)
                try await bus.ping(deadline: .now + .seconds(20))
                try await server.reload(settings: unlisted)
                while (try? await bus.ping(deadline: .now + .milliseconds(300))) != nil { await Task.yield() }
                // Until its connection ends, the question finds no service instead.
                var text = ""
                while !text.contains("BOXOFFICE_KEY_FILE") {
                    let failure = await #expect(throws: Failure.self) { try await bus.ask("echo") }
                    text = failure?.message.en ?? ""
                }
            }
        }
    }

    @Test func `a client reads neither requests nor the answers to others`() async throws {
        try await NATSServer.run { server in
            let keys = try keys(server)
            _ = try keys.makeKeys(of: .client, named: "asker")
            try await server.start(maxPayload: nil, settings: try NATSServerConfiguration(keys, certificate: nil).text)
            let file = "\(keys.folder(of: .client))/asker.key"
            var options = NATSOptions(servers: [server.url], name: "asker")
            options.key = NATSKey(try KeyFile(file, .secret).text(), in: file)
            let loop = try PollLoop()
            try await loop.withRunning {
                try await withNATSConnection(options, on: loop) { connection in
                    let denials = await connection.denials()
                    let subjects = ["boxoffice.request.cache-store.>", "boxoffice.event.>", "_INBOX.>", ">"]
                    for subject in subjects { _ = try await connection.subscribe(subject) { _ in } }
                    var seen: [Denial] = []
                    for await denial in denials {
                        seen.append(denial)
                        if seen.count == subjects.count { break }
                    }
                    #expect(Set(seen.map(\.subject)) == Set(subjects))
                    #expect(seen.allSatisfy { $0.operation == .subscribe })
                    #expect(await connection.makeRoundTrip(until: .now + .seconds(10)))
                }
            }
        }
    }

    @Test func `a client cannot make a worker answer to another subject`() async throws {
        try await NATSServer.run { server in
            let keys = try keys(server)
            let worker = try makeOperator("worker", in: keys)
            _ = try keys.makeKeys(of: .client, named: "asker")
            try await server.start(
                maxPayload: nil, hasJetStream: true, settings: try NATSServerConfiguration(keys, certificate: nil).text)
            let file = "\(keys.folder(of: .client))/asker.key"
            var options = NATSOptions(servers: [server.url], name: "asker")
            options.key = NATSKey(try KeyFile(file, .secret).text(), in: file)
            try await withMessageBus(configuration(server.url, keyFile: worker)) { (bus) async throws in
                try await bus.withEcho {
                    bus.publish(Event(at: 1, kind: "test.kept", source: "client/1"))
                    let loop = try PollLoop()
                    try await loop.withRunning {
                        try await withNATSConnection(options, on: loop) { connection in
                            let purge = "$JS.API.STREAM.PURGE.EVENTS"
                            _ = await connection.makeRoundTrip(until: .now + .seconds(10))
                            for subject in ["$SRV.PING", "boxoffice.request.echo.service.ping"] {
                                try await connection.publish([1], to: subject, reply: purge)
                            }
                            // The worker has handled what came before.
                            _ = try await connection.ask("$SRV.PING.echo", until: .now + .seconds(10))
                        }
                    }
                }
                let stream = try await bus.subscribe(last: 10)
                #expect(try await stream.next()?.0.event.kind == "test.kept")
                await stream.close()
            }
        }
    }

    @Test func `large and many messages pass through TLS`() async throws {
        try await NATSServer.run { server in
            let certificate = try TestCertificate(of: "localhost", in: server.folder)
            let keys = try keys(server)
            let file = try makeOperator("all", in: keys)
            let text = try NATSServerConfiguration(
                keys, certificate: .init(file: certificate.file, keyFile: certificate.keyFile)
            ).text
            try await server.start(maxPayload: nil, hasJetStream: true, settings: text)
            let configuration = try configuration(
                server.url(scheme: "tls", host: "localhost"), keyFile: file, trusted: certificate.file)
            try await withMessageBus(configuration) { (bus) async throws in
                try await bus.withEcho {
                    let large = String(repeating: "가", count: 600_000)
                    #expect(try await bus.ask("echo", large) == large)
                    try await withThrowingTaskGroup(of: Bool.self) { group in
                        for lane in 0..<4 {
                            group.addTask {
                                for number in 0..<100 {
                                    let text = "\(lane) \(number)"
                                    if try await bus.ask("echo", text) != text { return false }
                                }
                                return true
                            }
                        }
                        for try await isSame in group { #expect(isSame) }
                    }
                }
            }
        }
    }

    @Test(arguments: [("tls", "127.0.0.1", true), ("tls", "localhost", false), ("nats", "localhost", false)])
    func `a server that does not prove to be the host of the address is not used`(
        scheme: String, host: String, isTrusted: Bool
    ) async throws {
        try await NATSServer.run { server in
            let certificate = try TestCertificate(of: "localhost", in: server.folder)
            try await server.start(
                settings: "tls { cert_file: \"\(certificate.file)\", key_file: \"\(certificate.keyFile)\" }")
            let url = server.url(scheme: scheme, host: host)
            let (asked, reported) = try await failure(
                configuration(url, trusted: isTrusted ? certificate.file : nil))
            #expect(asked.code == .brokerLost && !asked.isRetryable)
            #expect(asked.message.en.contains("encrypted") && asked.message.en.contains(url))
            #expect(reported?.message == asked.message)
        }
    }

    @Test func `a server without TLS is not used by an address that asks for it`() async throws {
        try await NATSServer.run { server in
            try await server.start()
            let (asked, _) = try await failure(configuration(server.url(scheme: "tls")))
            #expect(asked.code == .brokerLost && !asked.isRetryable)
            #expect(asked.message.en.contains("encrypted"))
        }
    }
}
