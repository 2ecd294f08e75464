extension UpstreamError {
    /// A status other than 2xx, without further information in the body.
    static func http(_ response: UpstreamResponse, from upstream: String) -> UpstreamError {
        let hint = (300..<400).contains(response.status) ? ", a redirect, which is not followed" : ""
        return UpstreamError(
            .http, "\(upstream) answered with HTTP status \(response.status)\(hint).", httpStatus: response.status)
    }
}
