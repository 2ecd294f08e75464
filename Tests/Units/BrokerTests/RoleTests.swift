import BrokerMachine
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

/// What each role may do, on both transports.
@Suite(.timeLimit(.minutes(1))) struct RoleTests {
    private static let kinds = Role.stackOperator.kinds() + [CacheClearRequest.kind, CachePinRequest.kind, "no.such"]

    /// A worker of the service that answers each kind.
    private func withService(
        _ bus: MessageBus, _ service: String, _ body: () async throws -> Void
    ) async throws {
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

    private func failure(_ kind: String, from bus: MessageBus, to service: String) async throws -> FailureCode? {
        let request = BusRequest(service: service, kind: kind, trace: .root())
        do {
            let header = try await bus.request(request, deadline: .now + .seconds(10)).envelope.header
            return header.status == .failed ? header.failure?.code : nil
        } catch let failure as Failure {
            return failure.code
        }
    }

    @Test(arguments: BusKind.allCases, Role.allCases)
    func `the kinds that need a higher role are refused`(on kind: BusKind, role: Role) async throws {
        try await RoleScene.run(kind) { scene in
            try await scene.withBus("cache-store/1", as: .worker, of: "cache-store") { (store) async throws in
                try await withService(store, "cache-store") {
                    let service = role == .worker ? "detail-fetcher" : nil
                    try await scene.withBus("peer/1", as: role, of: service) { (bus) async throws in
                        for kind in Self.kinds {
                            let isAllowed = Role.least(for: kind) <= role
                            let failure = try await failure(kind, from: bus, to: "cache-store")
                            #expect(failure == (isAllowed ? nil : .forbidden), "\(kind) by \(role)")
                        }
                    }
                }
            }
        }
    }

    @Test func `a peer of the run folder may do everything`() async throws {
        try await NetworkScene.run { scene in
            try await scene.local.withBus("cache-store/1") { (store) async throws in
                try await withService(store, "cache-store") {
                    try await scene.local.withBus("gateway/1") { (bus) async throws in
                        for kind in Self.kinds {
                            #expect(try await failure(kind, from: bus, to: "cache-store") == nil)
                        }
                    }
                }
            }
        }
    }

    @Test(
        arguments: BusKind.allCases,
        [(Role.client, nil, "detail-fetcher"), (.worker, "chart-fetcher", "detail-fetcher")])
    func `a key registers no service but its own`(
        on kind: BusKind, peer: (role: Role, own: String?, service: String)
    ) async throws {
        try await RoleScene.run(kind) { scene in
            try await scene.withBus("\(peer.service)/9", as: peer.role, of: peer.own) { bus in
                let worker = bus.worker(BusWorkerOptions(service: peer.service, capacity: 1))
                let dismissal = await #expect(throws: WorkerDismissal.self) {
                    try await worker.serve { Envelope(header: $0.envelope.header) }
                }
                #expect(dismissal == .forbidden)
            }
        }
    }

    @Test(arguments: BusKind.allCases)
    func `a worker under a name of its service may serve no other service`(on kind: BusKind) async throws {
        try await RoleScene.run(kind) { scene in
            try await scene.withBus("chart-fetcher/9", as: .worker, of: "chart-fetcher") { bus in
                let worker = bus.worker(BusWorkerOptions(service: "detail-fetcher", capacity: 1))
                let dismissal = await #expect(throws: WorkerDismissal.self) {
                    try await worker.serve { Envelope(header: $0.envelope.header) }
                }
                #expect(dismissal == .forbidden)
            }
        }
    }

    @Test(arguments: BusKind.allCases)
    func `the key of a service registers that service`(on kind: BusKind) async throws {
        try await RoleScene.run(kind) { scene in
            try await scene.withBus("detail-fetcher/9", as: .worker, of: "detail-fetcher") { bus in
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

    @Test(arguments: BusKind.allCases, [(Role.worker, "detail-fetcher/9"), (.client, "gateway/9")])
    func `an event under the name of another process is dropped and counted`(
        on kind: BusKind, peer: (role: Role, instance: String)
    ) async throws {
        try await RoleScene.run(kind) { scene in
            try await scene.withBus("tap/1", as: .stackOperator) { tap in
                let stream = try await tap.subscribe()
                let service = peer.role == .worker ? "detail-fetcher" : nil
                try await scene.withBus(peer.instance, as: peer.role, of: service) { (bus) async throws in
                    try await bus.ping(deadline: .now + .seconds(10))
                    for source in ["broker/1", "cache-store/1", "poster-resolver", peer.instance] {
                        bus.publish(Event(at: 1, kind: "test.forged", source: source))
                    }
                    var sources: [String] = []
                    while sources.last != peer.instance, let (event, _) = try await stream.next() {
                        if event.event.kind == "test.forged" { sources.append(event.event.source) }
                    }
                    #expect(sources == [peer.instance])
                    // The servers of NATS report to the sender.
                    while kind == .nats, bus.droppedEvents < 3 { await Task.yield() }
                }
                await stream.close()
                guard kind == .majordomo else { return }
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
