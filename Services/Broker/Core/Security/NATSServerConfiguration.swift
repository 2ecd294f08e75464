import Contracts
import Localization
import NATS
import ProcessKit

/// The part of a nats-server's configuration that follows from our roles: its users, what each may do, and its limits.
public struct NATSServerConfiguration {
    /// Files of the server (PEM).
    public struct Certificate {
        let file: String
        let keyFile: String

        public init(file: String, keyFile: String) {
            self.file = file
            self.keyFile = keyFile
        }
    }

    private struct User {
        let key: String
        let role: Role
        let service: String?
        /// The file that lists it, as in "clients/asker.pub".
        let name: String
    }

    private let users: [User]
    private let certificate: Certificate?

    /// - Throws: `StartupError` when a file in the folder holds no valid key, or there is none: a server without users
    ///   admits everybody.
    public init(_ folder: KeyFolder, certificate: Certificate?) throws {
        guard !KeyFolder.folder(at: folder.path).isMissing else { throw Self.noKeys(in: folder) }
        for each in folder.folders { try each.prepare() }
        var users: [String: User] = [:]
        for listing in try folder.listings({ throw $0 }) {
            guard let key = NATSKeyPair.publicKey(in: try listing.file.text()) else {
                throw listing.file.invalidNATSKeyError
            }
            // Of a key in two folders the least role counts.
            let name = String(listing.file.path.dropFirst(folder.path.count + 1))
            users[key] = users[key] ?? User(key: key, role: listing.role, service: listing.service, name: name)
        }
        guard !users.isEmpty else { throw Self.noKeys(in: folder) }
        self.users = users.values.sorted { ($0.role, $0.service ?? "", $0.key) < ($1.role, $1.service ?? "", $1.key) }
        self.certificate = certificate
    }

    private static func noKeys(in folder: KeyFolder) -> StartupError {
        let keygen = "\(Installation.program("broker")) keygen --nats"
        return StartupError(
            LocalizedText(
                ko: "\(folder.path)에 키가 없습니다. 사용자가 없는 서버는 누구나 받습니다. 키를 만드세요: \(keygen)",
                en:
                    "\(folder.path) lists no keys, and a server without users admits everybody. Make keys with \(keygen)."
            ),
            exitStatus: ExitStatus.configuration)
    }

    /// As the configuration file of a server includes it.
    public var text: String {
        // By the pings a server notices within 2 s that another one, or a client, is silent.
        var lines = ["max_payload: 4MB", "ping_interval: \"500ms\"", "ping_max: 2"]
        if let certificate {
            lines.append(
                "tls { cert_file: \(Self.quoted(certificate.file)), key_file: \(Self.quoted(certificate.keyFile)) }")
        }
        return lines.joined(separator: "\n") + "\nauthorization {\n\(usersText)}\n"
    }

    /// As an account in the configuration file includes them.
    public var usersText: String {
        (["  users: ["] + users.map { Self.text(of: $0) }).joined(separator: "\n") + "\n  ]\n"
    }

    private static func text(of user: User) -> String {
        let permissions = permissions(of: user)
        var rights = "publish: { allow: \(list(permissions.publish))"
        if !permissions.deniedPublish.isEmpty { rights += ", deny: \(list(permissions.deniedPublish))" }
        rights += " }, subscribe: { allow: \(list(permissions.subscribe)) }"
        // Answers to one request are several: its worker reports every half second that it is alive.
        if permissions.mayAnswer { rights += ", allow_responses: { max: -1, expires: \"1h\" }" }
        return "    # \(user.name.printable)\n    { nkey: \(user.key), permissions: { \(rights) } }"
    }

    private static func permissions(of user: User) -> SubjectPermissions {
        let kinds = user.role == .stackOperator ? [] : user.role.kinds()
        var permissions = SubjectPermissions(kinds: kinds, user: user.key)
        switch user.role {
        case .client: permissions.allowEvents(exceptOf: ServiceDescription.all.map(\.name))
        case .worker:
            if let service = user.service { permissions.allowService(service) }
        case .stackOperator: permissions.allowEverything()
        }
        return permissions
    }

    private static func list(_ subjects: [String]) -> String {
        "[\(subjects.map(quoted).joined(separator: ", "))]"
    }

    private static func quoted(_ text: String) -> String {
        "\"\(text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\""))\""
    }
}
