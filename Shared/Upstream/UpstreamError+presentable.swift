extension UpstreamError {
    /// The same error for display: without the key and control characters, limited in length.
    ///
    /// Upstreams repeat parts of the request (Kakao the key itself), so every client applies this to every error it
    /// throws. The key is masked before the text is cut: cutting first could leave a part of it.
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
