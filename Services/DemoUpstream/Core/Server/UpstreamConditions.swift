/// How the upstream behaves at the moment: its delay, its fault, its chance of an error. Tests change it while it runs.
actor UpstreamConditions {
    /// What happens to one call.
    struct Disturbance: Sendable {
        let delay: Duration
        let fault: Fault
    }

    private var latency: Duration
    private var jitter: Duration
    private let errorRate: Double
    private var fault: Fault
    /// Only paths that contain this text; nil for all calls of an API.
    private var faultyPath: String?
    private var random: SplitMix64

    init(configuration: DemoUpstreamConfiguration) {
        latency = configuration.latency
        jitter = configuration.jitter
        errorRate = configuration.errorRate
        fault = configuration.fault
        random = SplitMix64(seed: configuration.seed, -1)
    }

    /// Chooses a fault for all calls of the APIs, or for the paths that contain a text, posters then included.
    func set(fault: Fault, forPathsContaining path: String?) {
        self.fault = fault
        faultyPath = path
    }

    func set(latency: Duration, jitter: Duration) {
        self.latency = latency
        self.jitter = jitter
    }

    /// What becomes of the next call. A chosen fault goes before a random error.
    func next(for path: String, of api: UpstreamAPI) -> Disturbance {
        let delay = latency + jitter * random.unit()
        let isAPI = api != .pictures
        let strikes = faultyPath.map(path.contains) ?? isAPI
        if fault != .none, strikes { return Disturbance(delay: delay, fault: fault) }
        let fails = random.happens(errorRate)
        return Disturbance(delay: delay, fault: fails && isAPI ? .error500 : .none)
    }
}
