/// A transport that asks the host's circuit breaker before each request.
public struct GuardedTransport: UpstreamTransport {
    private let base: any UpstreamTransport
    private let breakers: CircuitBreakers

    public init(_ base: any UpstreamTransport, breakers: CircuitBreakers) {
        self.base = base
        self.breakers = breakers
    }

    /// - Throws: What the transport below throws, and `unavailable` while the breaker is open.
    public func send(_ request: UpstreamRequest, deadline: ContinuousClock.Instant) async throws -> UpstreamResponse {
        let host = request.authority
        switch await breakers.ask(host) {
        case .refuse(let retryAfter):
            throw UpstreamError.unavailable(request, retryAfter: retryAfter)
        case .call(let permit):
            do {
                let response = try await base.send(request, deadline: deadline)
                await breakers.ended(permit, at: host, response.status >= 500 ? .failed : .answered)
                return response
            } catch let error as UpstreamError {
                await breakers.ended(permit, at: host, error.outcome)
                throw error
            } catch {
                await breakers.ended(permit, at: host, .unknown)
                throw error
            }
        }
    }
}

extension UpstreamError {
    /// What the error says about the host.
    fileprivate var outcome: CircuitBreaker.Outcome {
        switch code {
        case .transport, .timeout: .failed
        // Too much of an answer is one.
        case .malformed: .answered
        default: .unknown
        }
    }

    fileprivate static func unavailable(_ request: UpstreamRequest, retryAfter: Duration) -> UpstreamError {
        let seconds = max(1, (retryAfter + .milliseconds(999)).components.seconds)
        return UpstreamError(
            .unavailable,
            "\(request.upstream) at \(request.authority) has not answered lately and is left alone for now; it is tried "
                + "again in \(seconds) s.")
    }
}
