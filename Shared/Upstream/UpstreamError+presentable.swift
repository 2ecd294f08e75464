extension UpstreamError {
    /// The same error, fit to be shown: without the key, without control characters, not longer than people read.
    ///
    /// Upstreams echo what they were sent (Kakao the key itself), so every error passes here once, on its way out of a
    /// client. The key goes first: cutting first could leave half of it.
    func presentable(hiding key: APIKey) -> UpstreamError {
        UpstreamError(
            code, Self.presentable(message, hiding: key), httpStatus: httpStatus,
            faultCode: faultCode.map { Self.presentable($0, hiding: key) }, isRetriable: isRetriable)
    }

    private static func presentable(_ text: String, hiding key: APIKey) -> String {
        var shown = ""
        shown.unicodeScalars.append(
            contentsOf: key.masked(in: text).unicodeScalars.lazy.filter {
                $0.properties.generalCategory != .control
            })
        let limit = 400
        return shown.count > limit ? shown.prefix(limit) + "…" : shown
    }
}
