internal import Localization
public import Majordomo
internal import MessageBus
public import ProcessKit

/// Where the bus is: our broker, or the servers of NATS.
public enum BusAddress: Sendable, Equatable {
    case broker(BrokerEndpoints)
    /// URLs of at least one server, each with a port; all of them begin with "nats://", or all with "tls://".
    case nats([String])

    private static let natsPort = 4222

    /// - Parameter text: "ipc:///FOLDER/broker.ipc", "tcp://HOST:PORT", "nats://HOST:PORT,HOST:PORT", or the same with
    ///   "tls://".
    public init(_ text: String) throws {
        if let scheme = ["nats://", "tls://"].first(where: text.hasPrefix) {
            self = .nats(try Self.servers(text, scheme))
        } else {
            self = .broker(try BrokerEndpoints(broker: text))
        }
    }

    /// The given address, else `BOXOFFICE_BROKER`, else that of the stack in the run folder.
    public static func find(_ given: String?, _ environment: Environment) throws -> BusAddress {
        if let address = given ?? environment["BOXOFFICE_BROKER"] { return try BusAddress(address) }
        let folder = RunFolder(environment)
        if let address = try folder.busAddress() { return try BusAddress(address) }
        return .broker(try folder.endpoints())
    }

    /// As a program takes it.
    public var text: String {
        switch self {
        case .broker(let endpoints): endpoints.requests
        case .nats(let servers): servers.joined(separator: ",")
        }
    }

    private static func servers(_ text: String, _ scheme: String) throws -> [String] {
        try text.dropFirst(scheme.count).split(separator: ",", omittingEmptySubsequences: false).map { part in
            // Each server of the list may repeat the scheme.
            let server = part.hasPrefix(scheme) ? part.dropFirst(scheme.count) : part
            guard let match = server.wholeMatch(of: /(\[[0-9A-Fa-f:.]+\]|[A-Za-z0-9._-]+)(?::([0-9]{1,5}))?/),
                let port = match.2.map({ Int($0) }) ?? natsPort, (1...65_535).contains(port)
            else { throw unusable(text) }
            return "\(scheme)\(match.1):\(port)"
        }
    }

    static func unusable(_ text: String) -> StartupError {
        let shown = AddressText(text)
        let users = LocalizedText(
            ko: " 주소에 사용자나 비밀번호를 쓸 수 없습니다. 키 파일을 BOXOFFICE_KEY_FILE에 정하세요.",
            en: " An address contains no user or password: set BOXOFFICE_KEY_FILE to a key file.")
        let advice = text.contains("@") ? users : LocalizedText(ko: "", en: "")
        return StartupError(
            LocalizedText(
                ko: "\("'\(shown)'".with(.topic)) 브로커 주소가 아닙니다. ipc:///폴더/broker.ipc, tcp://호스트:포트, "
                    + "nats://호스트:포트, tls://호스트:포트 가운데 하나를 쓰세요.\(advice.ko)",
                en: "'\(shown)' is not a broker address. Use ipc:///FOLDER/broker.ipc, tcp://HOST:PORT, "
                    + "nats://HOST:PORT or tls://HOST:PORT.\(advice.en)"),
            exitStatus: ExitStatus.usage)
    }
}

extension BrokerEndpoints {
    /// The endpoints derived from a broker's request endpoint: for ipc files next to it, for tcp the next two ports.
    ///
    /// - Parameter broker: "ipc:///run/…/broker.ipc" or "tcp://host:port".
    public init(broker: String) throws {
        if broker.hasPrefix("ipc:///"), broker.hasSuffix("/broker.ipc") {
            let folder = broker.dropFirst("ipc://".count).dropLast("/broker.ipc".count)
            self = try RunFolder(path: String(folder)).endpoints()
        } else if let match = broker.wholeMatch(
            of: /(tcp:\/\/(?:\[[0-9A-Za-z:.%]+\]|[A-Za-z0-9._*-]+)):([0-9]{1,5})/), let port = Int(match.2),
            (1...65_533).contains(port)
        {
            let host = match.1
            self.init(requests: broker, eventsIn: "\(host):\(port + 1)", events: "\(host):\(port + 2)")
        } else {
            throw BusAddress.unusable(broker)
        }
    }
}
