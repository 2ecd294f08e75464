import Hummingbird
import NIOCore

/// All settings of the demo upstream; the defaults are a quick and faultless server on any free port.
public struct DemoUpstreamConfiguration: Sendable {
    /// 0 takes any free port.
    public var port = 0
    /// The seed of the world: it determines films, numbers and posters.
    public var seed: UInt64 = 20031111
    public var recordings = RecordingOverlay.none
    /// The wait before each answer.
    public var latency = Duration.zero
    /// The maximum addition to the latency, evenly distributed.
    public var jitter = Duration.zero
    /// The part of API calls that is answered with HTTP 500, from 0 to 1.
    public var errorRate = 0.0
    /// The fault rules; if several rules match a call, the first one applies.
    public var faults: [FaultRule] = []

    public init() {}
}

/// The API of a path, which determines the format of a refusal.
enum UpstreamAPI: Sendable {
    case kobis
    case kakao
    /// Posters and the pages about films, which third-party sites serve in reality.
    case pictures
}

/// The context of a request: the local port on which it arrived, and so the server's own address.
struct UpstreamContext: RequestContext {
    var coreContext: CoreRequestContextStorage
    private let channel: any Channel

    init(source: ApplicationRequestContextSource) {
        coreContext = .init(source: source)
        channel = source.channel
    }

    /// Closes without an answer, and returns when it is closed: what is written afterwards goes nowhere.
    func closeConnection() async {
        // A connection that is closed already needs no other end.
        try? await channel.close(mode: .all).get()
    }

    /// Taken from the socket and not from the `Host` header, so that a caller cannot choose the address in an answer.
    var baseURL: String { "http://127.0.0.1:\(channel.localAddress?.port ?? 0)" }
}
