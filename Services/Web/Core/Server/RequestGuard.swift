import HTTPKit
import HTTPTypes

/// Refuses requests that another site may have caused: a foreign Host (DNS rebinding), or a form of another origin.
struct RequestGuard: Sendable {
    /// Lower case, without a port, beside those of the loopback.
    let allowedHosts: Set<String>

    /// Why the request is refused; nil for one that may be answered.
    func refusal(_ request: WebRequest) -> WebResponse? {
        if request.path == Route.healthPath { return otherMethods(than: [.get, .head], request) }
        guard let name = request.meaning.hostName, let host = request.asked.host, isAllowed(name),
            !hasSecondHost(request)
        else {
            return .text(.misdirectedRequest, "This server does not answer for that host.")
        }
        if request.target.utf8.count > Self.maxTarget { return .text(.uriTooLong, "The address is too long.") }
        guard request.meaning.isAction else { return otherMethods(than: [.get, .head], request) }
        if let refusal = otherMethods(than: [.post], request) { return refusal }
        return isOwn(request, host) ? nil : .text(.forbidden, "The form belongs to another site.")
    }

    private func otherMethods(than methods: [HTTPRequest.Method], _ request: WebRequest) -> WebResponse? {
        guard !methods.contains(request.method) else { return nil }
        let names = methods.map(\.rawValue).joined(separator: ", ")
        var response = WebResponse.text(.methodNotAllowed, "Only \(names) is possible here.")
        response.fields[.allow] = names
        return response
    }

    private static let maxTarget = 4096

    /// The first Host is the authority of the request; only a second one is among its fields.
    private func hasSecondHost(_ request: WebRequest) -> Bool {
        request.fields.contains(.secondHost)
    }

    private func isAllowed(_ name: String) -> Bool {
        RequestTarget.loopback.contains(name) || allowedHosts.contains(name)
    }

    /// A browser says where a form is from: by Sec-Fetch-Site, an older one by Origin.
    private func isOwn(_ request: WebRequest, _ host: String) -> Bool {
        if let site = request.fields[.secFetchSite] { return site == "same-origin" }
        guard let origin = request.fields[.origin] else { return false }
        return ["http://\(host)", "https://\(host)"].contains(origin)
    }
}
