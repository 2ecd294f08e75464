import AsyncHTTPClient
import Envelope
import Logging
import NIOCore
import NIOHTTP1
import ProcessKit
import ServiceLifecycle

/// Sends the waiting spans to a receiver of OTLP/HTTP, at its own pace.
struct TraceSender: Service {
    private static let replyLimit = 64 * 1024

    let endpoint: TraceEndpoint
    let observations: Observations
    let client: HTTPClient
    let logger: Logger

    func run() async {
        // Only the cancellation of the sleep ends the loop: a failed attempt is no error, its spans wait.
        try? await cancelWhenGracefulShutdown {
            while true {
                try await Task.sleep(for: ExporterTiming.sendInterval)
                await sendAll()
            }
        }
        // What the last second brought.
        await sendAll()
    }

    /// Sends batches until none waits, or an attempt fails.
    private func sendAll() async {
        while let spans = await observations.nextBatch(now: .now) {
            await send(spans)
        }
    }

    private func send(_ spans: [Span]) async {
        do {
            let response = try await client.execute(request(spans), deadline: .now() + TimeAmount(endpoint.timeout))
            let body = try await response.body.collect(upTo: Self.replyLimit)
            await note(response, Array(buffer: body), count: spans.count)
        } catch {
            await fail("\(error.systemReason ?? "\(error)")", retryAfter: nil)
        }
    }

    private func request(_ spans: [Span]) throws -> HTTPClientRequest {
        var request = HTTPClientRequest(url: endpoint.url)
        request.method = .POST
        request.headers.add(name: "Content-Type", value: "application/json")
        request.headers.add(name: "User-Agent", value: "boxoffice-exporter/\(ProductVersion.current)")
        for (name, value) in endpoint.headers { request.headers.replaceOrAdd(name: name, value: value) }
        request.body = .bytes(try JSONBytes.encode(TraceRequest(spans, version: ProductVersion.current)))
        return request
    }

    private func note(_ response: HTTPClientResponse, _ body: [UInt8], count: Int) async {
        switch response.status.code {
        case 200..<300:
            let partial = (try? JSONBytes.decode(TraceReply.self, from: body))?.partialSuccess
            if let partial, partial.rejectedSpans > 0 {
                logger.warning(
                    "the receiver of traces refused some spans",
                    metadata: [
                        "spans": "\(partial.rejectedSpans)", "reason": "\((partial.errorMessage ?? "").printable)",
                    ])
            }
            await observations.succeed(refusing: partial?.rejectedSpans ?? 0)
        case 429, 502, 503, 504:
            let seconds = response.headers.first(name: "Retry-After").flatMap(Int.init)
            await fail("HTTP \(response.status.code)", retryAfter: seconds.map { .seconds(min(max(0, $0), 3600)) })
        default:
            logger.warning(
                "the receiver of traces refused a batch, which is dropped",
                metadata: ["status": "\(response.status.code)", "spans": "\(count)"])
            await observations.refuse()
        }
    }

    /// Logs the first of several failures; the metrics count what is dropped.
    private func fail(_ reason: String, retryAfter: Duration?) async {
        if await observations.fail(now: .now, retryAfter: retryAfter) {
            logger.warning(
                "the receiver of traces cannot be reached; spans wait for it, the newest of them",
                metadata: ["receiver": "\(endpoint.origin)", "reason": "\(reason)"])
        }
    }
}
