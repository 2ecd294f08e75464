package import Recordings

/// One kind of request to an upstream, and the decoding of its answer.
package protocol UpstreamEndpoint: Sendable {
    associatedtype Answer: Sendable

    /// Below the base URL, without a leading slash.
    var path: String { get }
    /// In the order of the request, without the key; values are not encoded.
    var query: [(name: String, value: String)] { get }

    /// The name under which a valid answer is recorded; nil for an answer that is not recorded.
    var recordingName: RecordingName? { get }

    /// - Throws: `UpstreamError`, which may still contain text of the upstream, including the key.
    func answer(to response: UpstreamResponse) throws -> Answer
}

extension UpstreamEndpoint {
    var recordingName: RecordingName? { nil }
}

/// Common part of both clients: sends a request, reads the answer, retries, masks the key in errors.
package struct UpstreamCaller: Sendable {
    package let key: APIKey
    let transport: any UpstreamTransport
    let retry: UpstreamRetry
    let recorder: UpstreamRecorder?

    package init(
        key: APIKey, transport: any UpstreamTransport, retry: UpstreamRetry, recorder: UpstreamRecorder?
    ) {
        self.key = key
        self.transport = transport
        self.retry = retry
        self.recorder = recorder
    }

    package func ask<Endpoint: UpstreamEndpoint>(
        _ endpoint: Endpoint, with request: UpstreamRequest, deadline: ContinuousClock.Instant
    ) async throws -> Endpoint.Answer {
        do {
            return try await retry.run(upstream: request.upstream, deadline: deadline) { attemptDeadline in
                let response = try await transport.send(request, deadline: attemptDeadline)
                let answer = try endpoint.answer(to: response)
                guard !key.occurs(in: response.body) else {
                    throw UpstreamError(.malformed, "\(request.upstream) answered with the API key in its data.")
                }
                if let name = endpoint.recordingName { await recorder?.keep(response.body, as: name) }
                return answer
            }
        } catch let error as UpstreamError {
            throw error.presentable(hiding: key)
        }
    }
}
