/// Common part of both clients: sends a request, reads the answer, retries, masks the key in errors.
struct UpstreamCaller: Sendable {
    let key: APIKey
    let transport: any UpstreamTransport
    let retry: UpstreamRetry
    let recorder: UpstreamRecorder?

    func ask<Endpoint: UpstreamEndpoint>(
        _ endpoint: Endpoint, with request: UpstreamRequest, deadline: ContinuousClock.Instant
    ) async throws -> Endpoint.Answer {
        do {
            return try await retry.run(upstream: request.upstream, deadline: deadline) { attemptDeadline in
                let response = try await transport.send(request, deadline: attemptDeadline)
                let answer = try endpoint.answer(to: response)
                if let name = endpoint.recordingName { await recorder?.keep(response.body, as: name, hiding: key) }
                return answer
            }
        } catch let error as UpstreamError {
            throw error.presentable(hiding: key)
        }
    }
}
