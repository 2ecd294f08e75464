public import Logging
import MessageBus
import ProcessKit
import ServiceKit
import ZeroMQ

/// The broker's doors on the network, beside those in the run folder.
public struct NetworkListener: Sendable {
    enum Lock: Sendable {
        case keys(own: CurveKeyPair, clients: ClientKeys)
        /// Clear text, for anyone who finds the port.
        case none
    }

    let endpoints: BusEndpoints
    let lock: Lock
    let logger: Logger

    init(endpoints: BusEndpoints, lock: Lock, logger: Logger) {
        self.endpoints = endpoints
        self.lock = lock
        self.logger = logger
    }

    /// - Parameters:
    ///   - address: "tcp://host:port"; events go through the two ports after it.
    ///   - keys: nil is clear text, which whoever starts the broker has to ask for.
    public init(at address: String, keys: KeyFolder?, logger: Logger) throws {
        guard address.hasPrefix("tcp://") else {
            throw StartupError(
                "\"\(address)\" is no address on the network. Give tcp://HOST:PORT; the sockets in the run folder need no "
                    + "--bind.", exitStatus: ExitStatus.usage)
        }
        let endpoints = try BusEndpoints(broker: address)
        guard let keys else {
            logger.warning(
                "clear text: whoever reaches this port can read, ask and answer everything",
                metadata: ["endpoint": "\(address)"])
            self.init(endpoints: endpoints, lock: .none, logger: logger)
            return
        }
        guard keys.haveBeenMade else {
            throw StartupError(
                "\(address) can be reached from other machines, and there are no keys in \(keys.path) (no server.key). "
                    + "Make them with broker keygen, or name their folder with --keys; --insecure speaks clear text with "
                    + "anyone who connects.", exitStatus: ExitStatus.configuration)
        }
        let (own, clients) = try keys.load()
        logger.notice(
            "only clients with listed keys are let in",
            metadata: ["endpoint": "\(address)", "keys": "\(keys.path)", "clients": "\(clients.count)"])
        self.init(endpoints: endpoints, lock: .keys(own: own, clients: clients), logger: logger)
    }

    var options: SocketOptions {
        var options = SocketOptions()
        options.linger = BrokerTiming.linger
        options.suit(endpoints.requests)
        options.handshakeInterval = BrokerTiming.handshakeLimit
        if case .keys(let own, _) = lock { options.curve = .server(own) }
        return options
    }

    /// Nil where everybody may come in.
    func makeDoorkeeper(of broker: Broker, in context: Context, clock: WallClock) throws -> ZAPAuthenticator? {
        guard case .keys(_, let clients) = lock else { return nil }
        return try ZAPAuthenticator(
            context: context, clients: clients, clock: clock, logger: logger, publish: { await broker.publish($0) },
            onRemoval: { await broker.endConnections(ofKeys: $0) })
    }
}
