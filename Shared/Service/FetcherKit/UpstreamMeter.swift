internal import Envelope
public import ServiceKit
internal import Synchronization
public import Upstream

/// Counts the upstream attempts of one answer, and their duration; notes where the data came from.
public final class UpstreamMeter: Sendable {
    private let total = Mutex(UpstreamUse())
    private let leastGenuine = Mutex(DataSource.upstream)

    public init() {}

    /// Nil when the upstream was not called.
    public var use: UpstreamUse? {
        let use = total.withLock { $0 }
        return use.calls == 0 ? nil : use
    }

    /// The least genuine source among the answers of the attempts.
    var source: DataSource { leastGenuine.withLock { $0 } }

    func add(_ source: DataSource) {
        leastGenuine.withLock { $0 = min($0, source) }
    }

    func add(_ outcome: String, took: Duration) {
        total.withLock { $0.add(outcome, took: took) }
    }
}

/// A transport that reports its attempts to a meter.
public struct MeteredTransport: UpstreamTransport {
    private let base: any UpstreamTransport
    private let meter: UpstreamMeter

    public init(_ base: any UpstreamTransport, meter: UpstreamMeter) {
        self.base = base
        self.meter = meter
    }

    public func send(
        _ request: UpstreamRequest, deadline: ContinuousClock.Instant
    ) async throws -> UpstreamResponse {
        let start = ContinuousClock.now
        do {
            let response = try await base.send(request, deadline: deadline)
            meter.add(String(response.status), took: .now - start)
            if response.isSuccess { meter.add(DataSource(response)) }
            return response
        } catch {
            meter.add(
                (error as? UpstreamError)?.code.rawValue ?? (error is CancellationError ? "cancelled" : "error"),
                took: .now - start)
            throw error
        }
    }
}

extension DataSource {
    /// The source of an upstream's answer: only demo-upstream says that it is not genuine.
    init(_ response: UpstreamResponse) {
        self =
            switch response.demoData {
            case nil: .upstream
            case "recorded": .recorded
            default: .demo
            }
    }
}

/// A transport that counts each request before it sends it.
struct CountedTransport: UpstreamTransport {
    let base: any UpstreamTransport
    /// The count may take until this moment at least: a disk that is blocked for a second must not fail the call.
    let latestStart: ContinuousClock.Instant
    /// Takes one call from the daily quota; throws when none is left.
    let take: @Sendable (ContinuousClock.Instant) async throws -> Void

    func send(_ request: UpstreamRequest, deadline: ContinuousClock.Instant) async throws -> UpstreamResponse {
        let start = ContinuousClock.now
        // The count does not reduce the time of the upstream: a slow count must not open its breaker.
        try await take(max(latestStart, min(deadline, start + FetcherTiming.countLimit)))
        return try await base.send(request, deadline: deadline + (.now - start))
    }
}
