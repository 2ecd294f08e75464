/// The upstream's current behaviour: delay, faults, error rate. Tests change it while the upstream runs.
actor UpstreamConditions {
    /// What happens to one call.
    struct Disturbance: Sendable {
        let delay: Duration
        let fault: Fault
    }

    private var latency: Duration
    private var jitter: Duration
    private let errorRate: Double
    /// The first matching rule applies.
    private var rules: [(rule: FaultRule, fitting: Int)]
    private var random: SplitMix64
    /// Whether all charts are those before their last corrections.
    private(set) var lacksCorrections = false

    init(configuration: DemoUpstreamConfiguration) {
        latency = configuration.latency
        jitter = configuration.jitter
        errorRate = configuration.errorRate
        rules = configuration.faults.map { ($0, 0) }
        random = SplitMix64(seed: configuration.seed, -1)
    }

    /// Replaces all rules.
    func set(_ rules: [FaultRule]) {
        self.rules = rules.map { ($0, 0) }
    }

    func add(_ rule: FaultRule) {
        rules.append((rule, 0))
    }

    func set(latency: Duration, jitter: Duration) {
        self.latency = latency
        self.jitter = jitter
    }

    func set(lacksCorrections: Bool) {
        self.lacksCorrections = lacksCorrections
    }

    /// The disturbance of the next call. A rule takes precedence over a random error.
    ///
    /// - Parameter date: the requested day, "20220105"; nil for a call without one.
    func next(for path: String, date: String? = nil, of api: UpstreamAPI) -> Disturbance {
        let delay = latency + jitter * random.unit()
        // All rules count the call, whichever applies.
        var striking: FaultRule?
        for index in rules.indices where rules[index].rule.fits(path: path, date: date, of: api) {
            rules[index].fitting += 1
            if rules[index].fitting.isMultiple(of: rules[index].rule.every) { striking = striking ?? rules[index].rule }
        }
        if let striking {
            let more = striking.fault == .slow ? Duration.milliseconds(striking.milliseconds) : .zero
            return Disturbance(delay: delay + more, fault: striking.fault)
        }
        let fails = random.happens(errorRate)
        return Disturbance(delay: delay, fault: fails && api != .pictures ? .error500 : .none)
    }
}
