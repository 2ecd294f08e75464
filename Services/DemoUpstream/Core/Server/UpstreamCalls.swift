import Domain
import Hummingbird
import Logging
import ServiceLifecycle

/// Processes every call: counts it, delays it, answers it, and applies a fault to the answer if a rule matches.
struct UpstreamCalls: Sendable {
    let counter: CallCounter
    let conditions: UpstreamConditions

    /// - Parameters:
    ///   - key: the key that the caller sent, for Kakao's refusals; never logged.
    ///   - regular: the answer without a fault.
    func response(
        to request: Request, of api: UpstreamAPI, key: String = "", in context: UpstreamContext,
        regular: () -> DemoAnswer
    ) async -> Response {
        let logger = context.logger
        let path = request.uri.path
        await counter.count(path)
        let date = QueryParameters(request.uri.query)["targetDt"]
        let disturbance = await conditions.next(for: path, date: date, of: api)
        let answer: DemoAnswer
        do {
            // A stop does not wait for a latency of a minute.
            try await cancelWhenGracefulShutdown { try await Task.sleep(for: disturbance.delay) }
            answer = disturbance.fault.applied(to: regular(), of: api, key: key)
        } catch {
            answer = .text("stopping", status: 503)
        }
        logger.debug(
            "answered",
            metadata: [
                "http.path": "\(path)", "http.status": "\(answer.status)", "demo.data": "\(answer.origin.rawValue)",
                "demo.fault": "\(disturbance.fault.rawValue)",
            ])
        if answer.isConnectionClosed { await context.closeConnection() }
        return Response(answer)
    }
}

/// Counts calls per path since the start or the last reset, for tests.
actor CallCounter {
    private var counts: [String: Int] = [:]

    /// - Parameter path: the path alone. A query holds the key and is never stored.
    func count(_ path: String) {
        counts[path, default: 0] += 1
    }

    func reset() {
        counts = [:]
    }

    /// An object of path and count, by path.
    func body() -> [UInt8] {
        OrderedJSON.object(counts.sorted { $0.key < $1.key }.map { ($0.key, .number($0.value)) }).bytes
    }
}
