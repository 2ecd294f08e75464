import HTTPTypes

/// Refuses requests that another site may have caused: a foreign Host (DNS rebinding), or a form of another origin.
struct RequestGuard: Sendable {
    /// Lower case, without a port, beside those of the loopback.
    let allowedHosts: Set<String>

    /// Why the request is refused; nil for one that may be answered.
    func refusal(_ request: WebRequest) -> WebResponse? {
        guard let host = request.host, isAllowed(host), !hasSecondHost(request) else {
            return .text(.misdirectedRequest, "This server does not answer for that host.")
        }
        if request.target.utf8.count > Self.maxTarget { return .text(.uriTooLong, "The address is too long.") }
        guard [.get, .head, .post].contains(request.method) else {
            var response = WebResponse.text(.methodNotAllowed, "GET, HEAD and POST are possible.")
            response.fields[.allow] = "GET, HEAD, POST"
            return response
        }
        guard request.method != .post || isOwn(request, host) else {
            return .text(.forbidden, "The form belongs to another site.")
        }
        return nil
    }

    private static let maxTarget = 4096
    private static let loopback: Set<String> = ["127.0.0.1", "localhost", "[::1]"]

    /// The first Host is the authority of the request; only a second one is among its fields.
    private func hasSecondHost(_ request: WebRequest) -> Bool {
        request.fields[.secondHost] != nil
    }

    /// - Parameter host: a name with or without a port.
    private func isAllowed(_ host: String) -> Bool {
        let port = host.utf8.reversed().prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }.count
        let hasPort = (1...5).contains(port) && host.utf8.dropLast(port).last == UInt8(ascii: ":")
        let name = (hasPort ? host.dropLast(port + 1) : host[...]).lowercased()
        return Self.loopback.contains(name) || allowedHosts.contains(name)
    }

    /// A browser says where a form is from: by Sec-Fetch-Site, an older one by Origin.
    private func isOwn(_ request: WebRequest, _ host: String) -> Bool {
        if let site = request.fields[.secFetchSite] { return site == "same-origin" }
        guard let origin = request.fields[.origin] else { return false }
        return ["http://\(host)", "https://\(host)"].contains(origin)
    }
}
