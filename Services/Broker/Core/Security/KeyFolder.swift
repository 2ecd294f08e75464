import Contracts
import Localization
public import ProcessKit
import ZeroMQ

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// The keys on disk: `server.key` and `server.pub` of our broker, and one `NAME.pub` for each admitted peer, whose folder
/// is its role: `clients/`, `workers/SERVICE/` or `operators/`. Those of users of NATS lie in `nats/` in the same way.
public struct KeyFolder: Sendable {
    public enum Kind: Sendable {
        /// Of ZeroMQ, for our broker.
        case curve
        /// Of users of NATS (nkeys).
        case nats
    }

    public let path: String
    let kind: Kind

    /// - Parameter given: else the environment's, see `Environment.keyFolder()`.
    public init(_ given: String?, _ environment: Environment, kind: Kind = .curve) throws {
        let folder = try given ?? environment.keyFolder()
        path = kind == .curve ? folder : "\(folder)/nats"
        self.kind = kind
    }

    var serverKey: String { "\(path)/server.key" }
    var serverPublicKey: String { "\(path)/server.pub" }

    /// The folder of the keys of a role.
    ///
    /// - Parameter service: of a worker; nil for the folder of all workers' folders.
    func folder(of role: Role, service: String? = nil) -> String {
        switch role {
        case .client: "\(path)/clients"
        case .worker: "\(path)/workers" + (service.map { "/\($0)" } ?? "")
        case .stackOperator: "\(path)/operators"
        }
    }

    /// The folder itself and those of the roles, outermost first.
    var folders: [PrivateFolder] { ([path] + Role.allCases.map { folder(of: $0) }).map(Self.folder) }

    static func folder(at path: String) -> PrivateFolder {
        PrivateFolder(
            path: path, name: LocalizedText(ko: "키 폴더", en: "key folder"),
            advice: LocalizedText(
                ko: "자신의 폴더를 쓰거나 BOXOFFICE_KEYS를 정하세요.",
                en: "Give a folder of your own, or set BOXOFFICE_KEYS."))
    }

    /// Whether there is a secret key, even an unusable one.
    var hasServerKey: Bool { access(serverKey, F_OK) == 0 }

    /// Reads all keys once and strictly, so that an error is reported when the broker starts.
    func load() throws -> (own: CurveKeyPair, peers: PeerKeys) {
        guard CurveKeyPair.isSupported else { throw Self.noEncryption }
        let file = KeyFile(serverKey, .secret)
        guard let secret = CurveSecretKey(try file.text()) else { throw file.invalidKeyError }
        for folder in folders { try folder.prepare() }
        var keys = PeerKeys(self)
        try keys.load()
        return (try CurveKeyPair(secretKey: secret), keys)
    }

    static let noEncryption = StartupError(
        LocalizedText(
            ko: "이 libzmq는 CURVE 없이 빌드되어 키를 쓸 수 없습니다. libsodium을 포함한 libzmq를 설치하세요.",
            en: "This libzmq was built without CURVE, so there can be no keys. Install one with libsodium."),
        exitStatus: ExitStatus.configuration)
}
