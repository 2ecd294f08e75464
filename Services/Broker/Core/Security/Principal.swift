import BrokerMachine
import Contracts
import Majordomo
import MessageBus
import ProcessKit
import ZeroMQ

/// A listed key and its role: the folder in which it lies.
struct Principal: Sendable, Hashable {
    let key: CurvePublicKey
    let role: Role
    /// The service that a worker's key may register; nil for other roles.
    let service: String?

    init(_ key: CurvePublicKey, _ role: Role, service: String? = nil) {
        self.key = key
        self.role = role
        self.service = service
    }

    // MARK: In the messages of an admitted peer

    /// The text that libzmq attaches to the messages of an admitted peer: role, service and key.
    var userID: String { "\(role.rawValue)/\(service ?? "")/\(key)" }

    /// Nil for a text that no authenticator of ours has written.
    init?(userID: String) {
        let parts = userID.split(separator: "/", maxSplits: 2, omittingEmptySubsequences: false)
        // A key may contain slashes.
        guard parts.count == 3, let role = UInt8(parts[0]).flatMap(Role.init),
            let key = CurvePublicKey(String(parts[2]))
        else { return nil }
        self.init(key, role, service: parts[1].isEmpty ? nil : String(parts[1]))
    }

    /// What the broker allows a peer with this user id; everything to one without, which is on this machine.
    static func rights(ofUserID userID: String?) -> PeerRights {
        guard let userID else { return .all }
        guard let principal = Principal(userID: userID) else { return PeerRights(role: 0, registration: .none) }
        let registration: PeerRights.Registration =
            switch principal.role {
            case .client: .none
            case .worker: principal.service.map { .one(service: Frame(text: $0)) } ?? .none
            case .stackOperator: .any
            }
        return PeerRights(role: principal.role.rawValue, registration: registration)
    }

    /// Whether it may publish events of a process of that name: a worker those of its service, a client none of a
    /// service's.
    func mayPublish(from source: String) -> Bool {
        let name = source.prefix { $0 != "/" }
        switch role {
        case .client: return !Self.services.contains(String(name))
        case .worker: return String(name) == service
        case .stackOperator: return true
        }
    }

    private static let services = Set(ServiceDescription.all.map(\.name))
}
