import Hummingbird
import NIOCore

/// The context of a request: the local port on which it arrived, and so the server's own address.
struct UpstreamContext: RequestContext {
    var coreContext: CoreRequestContextStorage
    private let channel: any Channel

    init(source: ApplicationRequestContextSource) {
        coreContext = .init(source: source)
        channel = source.channel
    }

    /// Closes at once without an answer; pending writes are discarded.
    func closeConnection() {
        channel.close(mode: .all, promise: nil)
    }

    /// Taken from the socket and not from the `Host` header, so that a caller cannot choose the address in an answer.
    var baseURL: String { "http://127.0.0.1:\(channel.localAddress?.port ?? 0)" }
}
