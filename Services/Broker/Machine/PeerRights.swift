internal import Majordomo
public import MessageBus

/// What the broker allows a peer, by its authenticated identity.
public struct PeerRights: Sendable, Equatable {
    public enum Registration: Sendable, Equatable {
        case none
        case one(service: Frame)
        case any
    }

    /// Written into the control frames of its requests.
    public let role: UInt8
    /// The services that it may register.
    public let registration: Registration

    public init(role: UInt8, registration: Registration) {
        self.role = role
        self.registration = registration
    }

    /// Of a peer that needs no authentication.
    public static let all = PeerRights(role: 3, registration: .any)

    func mayRegister(_ service: Frame) -> Bool {
        switch registration {
        case .none: false
        case .one(let own): own == service
        case .any: true
        }
    }
}
