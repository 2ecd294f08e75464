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
