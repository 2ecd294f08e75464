import Hummingbird
import NIOCore

/// What a request knows besides itself: on which port of ours it arrived, and so by which address to call us again.
struct UpstreamContext: RequestContext {
    var coreContext: CoreRequestContextStorage
    private let channel: any Channel

    init(source: ApplicationRequestContextSource) {
        coreContext = .init(source: source)
        channel = source.channel
    }

    /// At once and without a word; what is still to be written is not.
    func closeConnection() {
        channel.close(mode: .all, promise: nil)
    }

    /// Taken from the socket and not from the `Host` header: a caller cannot make us point elsewhere.
    var baseURL: String { "http://127.0.0.1:\(channel.localAddress?.port ?? 0)" }
}
