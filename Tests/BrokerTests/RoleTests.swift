import Contracts
import Envelope
import Majordomo
import MessageBus
import ProcessKit
import ServiceKit
import TestSupport
import Testing
import ZeroMQ

@testable import BrokerCore

/// What each role may do over the network; a worker at the run folder's socket serves.
@Suite(.timeLimit(.minutes(1))) struct RoleTests {
    private static let kinds = Role.stackOperator.kinds() + [CacheClearRequest.kind, CachePinRequest.kind, "no.such"]

    /// A worker of the service that answers each kind.
    private func withService(
        _ scene: NetworkScene, _ service: String, _ body: () async throws -> Void
    ) async throws {
        try await scene.local.withBus("\(service)/1") { bus in
            let worker = WorkerService(
                BusWorkerOptions(service: service, capacity: 8), bus: bus, logger: NetworkScene.logger
            ) { _ in ServiceAnswer() }
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { try await worker.run() }
                try await bus.awaitService(service)
                try await body()
                group.cancelAll()
            }
        }
    }

    private func failure(_ kind: String, from bus: MessageBus, to service: String) async throws -> FailureCode? {
        let request = BusRequest(service: service, kind: kind, trace: .root())
        let header = try await bus.request(request, deadline: .now + .seconds(10)).envelope.header
        return header.status == .failed ? header.failure?.code : nil
    }

    @Test(arguments: Role.allCases)
    func `a service refuses the kinds that need a higher role`(role: Role) async throws {
        try await NetworkScene.run { scene in
            let service = role == .worker ? "detail-fetcher" : nil
            let credentials = try scene.credentials(of: "peer", role, service: service)
            try await withService(scene, "cache-store") {
                try await scene.withBus("peer/1", credentials) { (bus) async throws in
                    for kind in Self.kinds {
                        let isAllowed = Role.least(for: kind) <= role
                        let failure = try await failure(kind, from: bus, to: "cache-store")
                        #expect(failure == (isAllowed ? nil : .forbidden), "\(kind) by \(role)")
                    }
                }
            }
        }
    }

    @Test func `a peer of the run folder may do everything`() async throws {
        try await NetworkScene.run { scene in
            try await withService(scene, "cache-store") {
                try await scene.local.withBus("gateway/1") { (bus) async throws in
                    for kind in Self.kinds { #expect(try await failure(kind, from: bus, to: "cache-store") == nil) }
                }
            }
        }
    }

    @Test(arguments: [
        (Role.client, nil, "detail-fetcher"), (.worker, "chart-fetcher", "detail-fetcher"),
    ])
    func `a key registers no service but its own`(role: Role, own: String?, service: String) async throws {
        try await NetworkScene.run { scene in
            let credentials = try scene.credentials(of: "peer", role, service: own)
            try await scene.withBus("\(service)/9", credentials) { bus in
                let worker = bus.worker(BusWorkerOptions(service: service, capacity: 1))
                let dismissal = await #expect(throws: WorkerDismissal.self) {
                    try await worker.serve { Envelope(header: $0.envelope.header) }
                }
                #expect(dismissal == .forbidden)
            }
        }
    }

    @Test func `the key of a service registers that service`() async throws {
        try await NetworkScene.run { scene in
            let credentials = try scene.credentials(of: "peer", .worker, service: "detail-fetcher")
            try await scene.withBus("detail-fetcher/9", credentials) { bus in
                try await withThrowingTaskGroup(of: Void.self) { group in
                    group.addTask {
                        try await bus.worker(BusWorkerOptions(service: "detail-fetcher", capacity: 1)).serve {
                            Envelope(header: $0.envelope.header)
                        }
                    }
                    try await bus.awaitService("detail-fetcher")
                    group.cancelAll()
                }
            }
        }
    }

    @Test func `an event under the name of another process is dropped and counted`() async throws {
        try await NetworkScene.run { scene in
            let credentials = try scene.credentials(of: "peer", .worker, service: "detail-fetcher")
            try await scene.local.withBus("tap/1") { tap in
                let stream = try await tap.subscribe()
                try await scene.withBus("detail-fetcher/9", credentials) { (bus) async throws in
                    try await bus.ping(deadline: .now + .seconds(10))
                    for source in ["broker/1", "cache-store/1", "gateway/1", "detail-fetcher/9"] {
                        bus.publish(Event(at: 1, kind: "test.forged", source: source))
                    }
                    var sources: [String] = []
                    while sources.last != "detail-fetcher/9", let (event, _) = try await stream.next() {
                        if event.event.kind == "test.forged" { sources.append(event.event.source) }
                    }
                    #expect(sources == ["detail-fetcher/9"])
                }
                await stream.close()
                let dropped = try await tap.workers(deadline: .now + .seconds(10)).broker?.dropped
                #expect(dropped?["forbidden"] == 3)
            }
        }
    }

    @Test(arguments: [
        (Role.client, nil, "gateway/4", true), (.client, nil, "cache-store/1", false),
        (.client, nil, "broker/1", false),
        (.worker, "web", "web/1", true), (.worker, "web", "webx/1", false), (.stackOperator, nil, "broker/1", true),
    ])
    func `events carry the name of their sender`(role: Role, service: String?, source: String, isAllowed: Bool) throws {
        let key = try CurveKeyPair.random().publicKey
        #expect(Principal(key, role, service: service).mayPublish(from: source) == isAllowed)
    }

    @Test(arguments: ["", "1", "1//", "9//x", "1//not a key", "x/y/z"])
    func `a user id of no authenticator of ours has no rights`(text: String) {
        #expect(Principal.rights(ofUserID: text) == PeerRights(role: 0, registration: .none))
    }
}
