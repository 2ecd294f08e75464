import Contracts
import Foundation
import MessageBus
import ProcessKit
import TestSupport

@testable import BrokerCore
@testable import NATS

/// A bus that distinguishes roles: our broker with keys of CURVE, or a real server of NATS with keys of its own kind, and
/// the configuration that we generate.
struct RoleScene {
    /// Makes the configuration of a process with a key.
    private let configure: @Sendable (_ instance: String, Role, _ service: String?) throws -> BusConfiguration

    static func run(_ kind: BusKind, _ body: (RoleScene) async throws -> Void) async throws {
        switch kind {
        case .majordomo:
            try await NetworkScene.run { scene in
                try await body(
                    RoleScene { instance, role, service in
                        scene.configuration(
                            instance,
                            try scene.credentials(of: Self.fileName(instance), role, service: service))
                    })
            }
        case .nats:
            try await NATSServer.run { server in
                let keys = try KeyFolder("\(server.folder)/keys", Environment([:]), kind: .nats)
                try Self.makeKeys(in: keys)
                let settings = try NATSServerConfiguration(keys, certificate: nil).text
                try await server.start(maxPayload: nil, hasJetStream: true, settings: settings)
                try await body(
                    RoleScene { instance, role, service in
                        var nats = NATSConfiguration(servers: [server.url])
                        let file = "\(keys.folder(of: role, service: service))/all.key"
                        guard nats.useKey(try KeyFile(file, .secret).text(), in: file) else {
                            throw CocoaError(.fileReadUnknown)
                        }
                        return BusConfiguration(nats, instance: instance)
                    })
            }
        }
    }

    /// One for each role, since a server reads its configuration at its start.
    private static func makeKeys(in folder: KeyFolder) throws {
        for role in [Role.client, .stackOperator] { _ = try folder.makeKeys(of: role, named: "all") }
        for service in ServiceName.all + ServiceName.optional {
            _ = try folder.makeKeys(of: .worker, named: "all", service: service)
        }
    }

    private static func fileName(_ instance: String) -> String {
        instance.replacing("/", with: "-") + "-\(UInt32.random(in: 0 ... .max))"
    }

    /// - Parameter service: of a worker's key.
    func withBus(
        _ instance: String, as role: Role, of service: String? = nil, _ body: (MessageBus) async throws -> Void
    ) async throws {
        try await withMessageBus(configure(instance, role, service), body)
    }
}
