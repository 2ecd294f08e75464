internal import CZeroMQ

/// The messaging pattern of a socket (source: the libzmq manual, zmq_socket).
public enum SocketKind: Sendable {
    case dealer, pair, publisher, pull, push, router, subscriber, extendedPublisher

    var rawValue: Int32 {
        switch self {
        case .dealer: ZMQ_DEALER
        case .pair: ZMQ_PAIR
        case .publisher: ZMQ_PUB
        case .pull: ZMQ_PULL
        case .push: ZMQ_PUSH
        case .router: ZMQ_ROUTER
        case .subscriber: ZMQ_SUB
        case .extendedPublisher: ZMQ_XPUB
        }
    }
}
