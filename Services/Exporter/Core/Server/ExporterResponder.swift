import HTTPKit
import HTTPTypes
import Hummingbird
import NIOCore

/// Answers requests for metrics and for the health; a page of a browser that names another host gets nothing (DNS rebinding).
struct ExporterResponder: Sendable {
    private enum Page {
        case metrics, health, index
    }

    /// In lower case, beside addresses and names without a dot, which no other site can have.
    let allowedHosts: Set<String>
    let metrics: @Sendable () async -> String

    func respond(_ method: HTTPRequest.Method, _ target: RequestTarget) async -> Response {
        let page: Page
        switch target.path.prefix(while: { $0 != "?" }) {
        case "/metrics": page = .metrics
        case "/health": page = .health
        case "/": page = .index
        default: return Self.text(.notFound, "There is no such page: /metrics\n", method)
        }
        // Probes of a service manager may name any host, or none, and learn no more than that it runs.
        guard page == .health || isAllowed(target) else {
            return Self.text(.misdirectedRequest, "This server does not answer for that host.\n", method)
        }
        guard [.get, .head].contains(method) else {
            var refusal = Self.text(.methodNotAllowed, "Only GET, HEAD is possible here.\n", method)
            refusal.headers[.allow] = "GET, HEAD"
            return refusal
        }
        switch page {
        case .metrics: return Self.text(.ok, await metrics(), method, "text/plain; version=0.0.4; charset=utf-8")
        case .health: return Self.text(.ok, "ok\n", method)
        case .index: return Self.text(.ok, "Metrics for Prometheus: /metrics\n", method)
        }
    }

    private func isAllowed(_ target: RequestTarget) -> Bool {
        guard let name = target.hostName else { return false }
        return !name.contains(".") || RequestTarget.isAddress(name) || allowedHosts.contains(name)
    }

    private static func text(
        _ status: HTTPResponse.Status, _ text: String, _ method: HTTPRequest.Method,
        _ mediaType: String = "text/plain; charset=utf-8"
    ) -> Response {
        let bytes = ByteBuffer(string: text)
        let body =
            method == .head
            ? ResponseBody(contentLength: bytes.readableBytes) { try await $0.finish(nil) }
            : ResponseBody(byteBuffer: bytes)
        return Response(
            status: status, headers: [.contentType: mediaType, .contentLength: String(bytes.readableBytes)], body: body)
    }
}
