import Testing
import Upstream

@Suite struct CircuitBreakerTests {
    private let start = ContinuousClock.now
    private var breaker = CircuitBreaker()

    @Test mutating func `it opens after ten consecutive failures over a second or more`() {
        fail(9, every: .milliseconds(200))
        #expect(breaker.state == .closed && breaker.failuresInARow == 9)
        call(.failed, at: .milliseconds(1800))
        #expect(breaker.state == .open(until: start + .milliseconds(3800)))
        #expect(breaker.requestPermit(now: start + .milliseconds(3799)) == .refuse(retryAfter: .milliseconds(1)))
    }

    @Test mutating func `a burst shorter than a blip does not open it, later failures do`() {
        fail(100, every: .milliseconds(5))
        #expect(breaker.state == .closed)
        call(.failed, at: .milliseconds(999))
        #expect(breaker.state == .closed)
        call(.failed, at: .milliseconds(1000))
        #expect(breaker.state == .open(until: start + .milliseconds(3000)))
    }

    @Test mutating func `an answer resets the failure count`() {
        fail(9, every: .milliseconds(200))
        call(.answered, at: .milliseconds(1700))
        fail(9, every: .milliseconds(200), from: .milliseconds(1800))
        #expect(breaker.state == .closed && breaker.failuresInARow == 9)
    }

    @Test mutating func `a call without a known outcome is not counted`() {
        fail(9, every: .milliseconds(200))
        call(.unknown, at: .milliseconds(1800))
        #expect(breaker.state == .closed && breaker.failuresInARow == 9)
    }

    @Test mutating func `after the pause one call is a probe, and its success closes the breaker`() {
        open()
        let probe = permit(at: .seconds(10))
        #expect(breaker.state == .halfOpen)
        #expect(breaker.requestPermit(now: start + .seconds(10)) == .refuse(retryAfter: .zero))
        breaker.ended(probe, .answered, now: start + .seconds(11))
        #expect(breaker.state == .closed && breaker.failuresInARow == 0)
        _ = permit(at: .seconds(11))
    }

    @Test mutating func `each failed probe doubles the pause, up to the longest`() {
        open()
        var now = Duration.seconds(100)
        for pause in [4, 8, 16, 30, 30] {
            breaker.ended(permit(at: now), .failed, now: start + now)
            #expect(breaker.state == .open(until: start + now + .seconds(pause)))
            now += .seconds(pause)
        }
        breaker.ended(permit(at: now), .answered, now: start + now)
        fail(10, every: .milliseconds(200), from: now)
        #expect(breaker.state == .open(until: start + now + .milliseconds(1800) + .seconds(2)), "the first pause again")
    }

    @Test mutating func `after a probe without a known outcome the next call is the probe`() {
        open()
        breaker.ended(permit(at: .seconds(10)), .unknown, now: start + .seconds(10))
        #expect(breaker.state == .halfOpen)
        breaker.ended(permit(at: .seconds(10)), .answered, now: start + .seconds(10))
        #expect(breaker.state == .closed)
    }

    @Test(arguments: [CircuitBreaker.Outcome.answered, .failed])
    mutating func `the outcome of a call from before the opening is ignored`(outcome: CircuitBreaker.Outcome) {
        let early = permit(at: .zero)
        open()
        let opened = breaker.state
        breaker.ended(early, outcome, now: start + .seconds(3))
        #expect(breaker.state == opened)
        let probe = permit(at: .seconds(10))
        breaker.ended(early, outcome, now: start + .seconds(10))
        #expect(breaker.state == .halfOpen)
        #expect(breaker.requestPermit(now: start + .seconds(10)) == .refuse(retryAfter: .zero))
        breaker.ended(probe, .answered, now: start + .seconds(10))
        #expect(breaker.state == .closed)
    }

    @Test func `with a limit of 0 failures it never opens`() {
        var settings = CircuitBreaker.Settings()
        settings.failures = 0
        var breaker = CircuitBreaker(settings: settings)
        for second in 0..<1000 {
            guard case .call(let permit) = breaker.requestPermit(now: start + .seconds(second)) else {
                Issue.record("refused")
                return
            }
            breaker.ended(permit, .failed, now: start + .seconds(second))
        }
        #expect(breaker.state == .closed)
    }

    /// Any order of calls, outcomes and times: at most one probe, and none before the end of the pause.
    @Test(arguments: 0..<20 as Range<UInt64>)
    func `at most one probe runs, after the pause, for any sequence of calls`(seed: UInt64) {
        var random = Seeded(state: seed)
        var breaker = CircuitBreaker()
        var running: [(permit: CircuitBreaker.Permit, isProbe: Bool)] = []
        var now = start
        for _ in 0..<5_000 {
            now += .milliseconds(Int.random(in: 0...400, using: &random))
            if Bool.random(using: &random), !running.isEmpty {
                let call = running.remove(at: .random(in: running.indices, using: &random))
                let before = breaker.state
                let outcome = [CircuitBreaker.Outcome.failed, .failed, .failed, .answered, .unknown]
                breaker.ended(call.permit, outcome.randomElement(using: &random) ?? .failed, now: now)
                if before != .closed, breaker.state == .closed { #expect(call.isProbe) }
            } else {
                let before = breaker.state
                guard case .call(let permit) = breaker.requestPermit(now: now) else { continue }
                if case .open(let until) = before { #expect(until <= now) }
                let isProbe = before != .closed
                #expect(!isProbe || !running.contains { $0.isProbe }, "two probes")
                running.append((permit, isProbe))
            }
        }
    }

    private mutating func call(_ outcome: CircuitBreaker.Outcome, at time: Duration) {
        breaker.ended(permit(at: time), outcome, now: start + time)
    }

    private mutating func fail(_ count: Int, every pause: Duration, from first: Duration = .zero) {
        for number in 0..<count { call(.failed, at: first + pause * number) }
    }

    private mutating func open() {
        fail(10, every: .milliseconds(200))
        #expect(breaker.state != .closed)
    }

    private mutating func permit(at time: Duration) -> CircuitBreaker.Permit {
        guard case .call(let permit) = breaker.requestPermit(now: start + time) else {
            fatalError("refused at \(time)")
        }
        return permit
    }
}

/// Reproducible random numbers.
private struct Seeded: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return state ^ (state >> 29)
    }
}
