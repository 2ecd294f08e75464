import Contracts
import Envelope
import Foundation
import Localization
import Majordomo
import MessageBus
import ProcessKit
import TestSupport
import Testing

@testable import BrokerCore

/// Which peers the network endpoints admit.
@Suite(.timeLimit(.minutes(1))) struct NetworkTests {
    @Test func `listed peers can work, send requests, publish and subscribe`() async throws {
        try await NetworkScene.run { scene in
            let (worker, client) = (try scene.credentials(of: "worker"), try scene.credentials(of: "client"))
            try await scene.withBus("echo/1", worker) { workerBus in
                try await workerBus.withEcho {
                    try await scene.withBus("client/1", client) { (bus) async throws in
                        #expect(try await bus.ask("echo", "안녕") == "안녕")
                        let stream = try await bus.subscribe()
                        workerBus.publish(.test("test.published"))
                        #expect(try await stream.events(upTo: "test.published").last?.source == "test/1")
                        await stream.close()
                    }
                }
            }
        }
    }

    @Test(arguments: [false, true])
    func `the endpoints in the run folder are available in addition`(isInsecure: Bool) async throws {
        try await NetworkScene.run(isInsecure: isInsecure) { scene in
            let credentials = isInsecure ? nil : try scene.credentials(of: "worker")
            try await scene.withBus("echo/1", credentials) { workerBus in
                try await workerBus.withEcho {
                    try await scene.local.withBus("client/1") { (bus) async throws in
                        let stream = try await bus.subscribe()
                        #expect(try await bus.ask("echo", "안녕") == "안녕")
                        workerBus.publish(.test("test.published"))
                        #expect(try await stream.events(upTo: "test.published").last?.source == "test/1")
                        await stream.close()
                    }
                }
            }
        }
    }

    @Test func `a client that is listed later needs no restart on either side`() async throws {
        try await NetworkScene.run { scene in
            let credentials = try scene.credentials(of: "late")
            let file = "\(scene.keys.folder(of: .stackOperator))/late.pub"
            try FileManager.default.moveItem(atPath: file, toPath: file + ".not-yet")
            let (refusals, isRefused) = AsyncStream.makeStream(of: String.self)
            var configuration = scene.configuration("late/1", credentials)
            configuration.onProblem = { isRefused.yield($0.message.en) }
            try await withMessageBus(configuration) { bus in
                var refusal = refusals.makeAsyncIterator()
                #expect(await refusal.next()?.contains(scene.endpoints.requests) == true)
                let failure = await #expect(throws: Failure.self) { try await bus.ask("echo") }
                #expect(failure?.code == .brokerLost)
                #expect(failure?.message.en.contains("BOXOFFICE_KEY_FILE") == true)
                #expect(failure?.message.ko.contains("BOXOFFICE_KEY_FILE") == true)

                try FileManager.default.moveItem(atPath: file + ".not-yet", toPath: file)
                try await scene.local.withBus("observer/1") { observer in
                    let stream = try await observer.subscribe()
                    try await bus.withEcho(seenBy: observer) { () async throws in
                        #expect(try await observer.ask("echo", "안녕") == "안녕")
                    }
                    // Its requests and its events use other sockets, which were refused at first, too.
                    while (try? await bus.ping(deadline: .now + .seconds(10))) == nil {
                        try Task.checkCancellation()
                    }
                    bus.publish(.test("test.published"))
                    #expect(try await stream.events(upTo: "test.published").last?.source == "test/1")
                    await stream.close()
                }
            }
        }
    }

    @Test func `a client that is removed from the list is not admitted again`() async throws {
        try await NetworkScene.run { scene in
            let credentials = try scene.credentials(of: "former")
            try await scene.withBus("former/1", credentials) { (bus) async throws in
                try await bus.ping(deadline: .now + .seconds(10))
            }
            try FileManager.default.removeItem(atPath: "\(scene.keys.folder(of: .stackOperator))/former.pub")
            try await scene.withBus("former/2", credentials) { bus in
                let failure = await #expect(throws: Failure.self) {
                    try await bus.ping(deadline: .now + .seconds(10))
                }
                #expect(failure?.message.en.contains("does not admit this program") == true)
            }
        }
    }

    @Test func `a key that is removed from the list loses its open connections`() async throws {
        try await NetworkScene.run { scene in
            let (former, remaining) = (try scene.credentials(of: "former"), try scene.credentials(of: "remaining"))
            try await scene.withBus("remaining/1", remaining) { (other) async throws in
                try await other.ping(deadline: .now + .seconds(10))
                try await scene.withBus("former/1", former) { (bus) async throws in
                    try await bus.ping(deadline: .now + .seconds(10))
                    // Of its three sockets, one has sent nothing yet.
                    let stream = try await bus.subscribe()
                    try FileManager.default.removeItem(atPath: "\(scene.keys.folder(of: .stackOperator))/former.pub")
                    var failure: Failure?
                    while failure == nil {
                        do {
                            try await bus.ping(deadline: .now + .seconds(10))
                            await Task.yield()
                        } catch let error as Failure {
                            failure = error
                        }
                    }
                    #expect(failure?.code == .brokerLost, "\(String(describing: failure))")
                    await stream.close()
                }
                try await scene.local.withBus("observer/1") { observer in
                    let ended = try await scene.endedConnections(observer)
                    #expect(ended["key_removed", default: 0] >= 3, "\(ended)")
                }
                // Its own connections may have been among those that had sent nothing; it reconnects.
                try await other.ping(deadline: .now + .seconds(10))
            }
        }
    }

    @Test func `a port in use is reported with the option to change it`() async throws {
        try await NetworkScene.run { first in
            try await BusScene.run { local in
                let listener = try NetworkListener(
                    at: first.endpoints.requests, keys: first.keys, logger: NetworkScene.logger)
                let error = await #expect(throws: StartupError.self) {
                    try await local.withBroker(network: listener) {}
                }
                #expect(error?.exitStatus == ExitStatus.unavailable)
                #expect(error?.description.contains("--bind") == true)
            }
        }
    }
}
