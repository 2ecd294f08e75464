import BusSettings
import Localization
public import Logging
import Majordomo
import MessageBus
import ProcessKit
import ServiceKit
import ZeroMQ

/// The broker's network endpoints, in addition to those in the run folder.
public struct NetworkListener: Sendable {
    enum Security: Sendable {
        case keys(own: CurveKeyPair, peers: PeerKeys)
        /// Clear text: every peer that connects is admitted.
        case none
    }

    let endpoints: BrokerEndpoints
    let security: Security
    let logger: Logger

    init(endpoints: BrokerEndpoints, security: Security, logger: Logger) {
        self.endpoints = endpoints
        self.security = security
        self.logger = logger
    }

    /// - Parameters:
    ///   - address: "tcp://host:port"; events use the two ports after it.
    ///   - keys: nil means clear text, which requires an explicit option of the operator.
    public init(at address: String, keys: KeyFolder?, logger: Logger) throws {
        guard address.hasPrefix("tcp://") else {
            throw StartupError(
                LocalizedText(
                    ko: "\("'\(AddressText(address))'".with(.topic)) 네트워크 주소가 아닙니다. tcp://HOST:PORT로 지정하세요. "
                        + "실행 디렉터리의 소켓에는 --bind가 필요 없습니다.",
                    en:
                        "'\(AddressText(address))' is not a network address. Use tcp://HOST:PORT; the sockets in the "
                        + "run directory need no --bind."), exitStatus: ExitStatus.usage)
        }
        let endpoints = try BrokerEndpoints(broker: address)
        guard let keys else {
            logger.warning(
                "clear text: any client that reaches this port can read, ask and answer everything",
                metadata: ["endpoint": "\(address)"])
            self.init(endpoints: endpoints, security: .none, logger: logger)
            return
        }
        guard keys.hasServerKey else {
            let keygen = "\(Installation.program("broker")) keygen"
            throw StartupError(
                LocalizedText(
                    ko: "\(address)에는 다른 컴퓨터도 연결할 수 있지만 \(keys.path)에 키가 없습니다(server.key 없음). "
                        + "\(keygen.with(.direction)) 키를 만들거나 --keys로 키 폴더를 지정하세요. 암호화와 인증 없이 쓰려면 "
                        + "--insecure를 지정하세요.",
                    en: "\(address) can be reached from other machines, and there are no keys in \(keys.path) (no "
                        + "server.key). Make them with \(keygen), or name their folder with --keys; --insecure speaks clear "
                        + "text with anyone who connects."), exitStatus: ExitStatus.configuration)
        }
        let (own, peers) = try keys.load()
        logger.notice(
            "only clients with listed keys are admitted",
            metadata: ["endpoint": "\(address)", "keys": "\(keys.path)", "clients": "\(peers.count)"])
        self.init(endpoints: endpoints, security: .keys(own: own, peers: peers), logger: logger)
    }

    var options: SocketOptions {
        var options = SocketOptions()
        options.linger = BrokerTiming.linger
        options.adapt(to: endpoints.requests)
        options.handshakeInterval = BrokerTiming.handshakeLimit
        if case .keys(let own, _) = security { options.curve = .server(own) }
        return options
    }

    /// Nil without keys, where every peer is admitted.
    func makeAuthenticator(of broker: Broker, in context: Context, clock: WallClock) throws -> ZAPAuthenticator? {
        guard case .keys(_, let peers) = security else { return nil }
        return try ZAPAuthenticator(
            context: context, peers: peers, clock: clock, logger: logger, publish: { await broker.publish($0) },
            onRemoval: { await broker.endConnections(ofKeys: $0) })
    }
}
