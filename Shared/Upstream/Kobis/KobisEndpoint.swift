internal import Upstream

/// A request to KOBIS.
protocol KobisEndpoint: UpstreamEndpoint {
    associatedtype Result: KobisResult

    /// The answer in a body without a fault; `result` is nil when the body does not contain it.
    func answer(from result: Result?, in response: UpstreamResponse) throws -> Answer

    /// The meaning of a fault for this request.
    func refusal(_ fault: KobisFault, httpStatus: Int) -> UpstreamError
}

extension KobisEndpoint {
    func answer(to response: UpstreamResponse) throws -> Answer {
        guard response.isSuccess else { throw failure(of: response) }
        let body = try response.decode(KobisBody<Result>.self, from: KobisClient.upstream)
        if let fault = body.fault {
            throw refusal(fault, httpStatus: response.status)
        }
        guard !body.isForeign else {
            throw response.malformed("\(KobisClient.upstream) answered without \(Result.rootName).", isRetryable: false)
        }
        return try answer(from: body.result, in: response)
    }

    func refusal(_ fault: KobisFault, httpStatus: Int) -> UpstreamError {
        fault.error(httpStatus: httpStatus)
    }

    private func failure(of response: UpstreamResponse) -> UpstreamError {
        let failure = UpstreamError.http(response, from: KobisClient.upstream)
        do {
            let body = try response.decode(KobisBody<NoResult>.self, from: KobisClient.upstream)
            return body.fault.map { refusal($0, httpStatus: response.status) } ?? failure
        } catch {
            // An error page may not be JSON; then only the status counts.
            return failure
        }
    }
}

private struct NoResult: KobisResult {
    static let rootName = ""
}
