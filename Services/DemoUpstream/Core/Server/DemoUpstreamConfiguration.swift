/// All settings of the demo upstream; the defaults are a quick and faultless server on any free port.
public struct DemoUpstreamConfiguration: Sendable {
    /// 0 takes any free port.
    public var port = 0
    /// Which world: the same seed shows the same films, numbers and posters.
    public var seed: UInt64 = 20031111
    public var recordings = RecordingOverlay.none
    /// The wait before each answer.
    public var latency = Duration.zero
    /// The most that is added to the latency, evenly distributed.
    public var jitter = Duration.zero
    /// The part of API calls that is answered with HTTP 500, from 0 to 1.
    public var errorRate = 0.0
    /// What goes wrong; of several rules that strike a call the first counts.
    public var faults: [FaultRule] = []

    public init() {}
}
