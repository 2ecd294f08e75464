import NIOCore
import NIOHTTP1
import NIOPosix
import NIOSSL
import Upstream

/// One GET over its own connection to one given address.
///
/// The HTTP client of the APIs resolves names itself and connects to any result; here the address was resolved and
/// checked before.
struct DirectExchange: Sendable {
    let web: WebAddress
    let address: SocketAddress
    /// Only for https.
    let tls: NIOSSLContext?
    /// In bytes.
    let bodyLimit: Int

    /// - Returns: the answer, without its body unless the status is a success.
    func send(_ request: UpstreamRequest, within granted: Duration) async throws -> UpstreamResponse {
        let connection = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .connectTimeout(TimeAmount(granted))
            .connect(to: address) { channel in
                channel.eventLoop.makeCompletedFuture {
                    let pipeline = channel.pipeline.syncOperations
                    if let tls {
                        try pipeline.addHandler(NIOSSLClientHandler(context: tls, serverHostname: serverName))
                    }
                    try pipeline.addHTTPClientHandlers()
                    return try NIOAsyncChannel(
                        wrappingChannelSynchronously: channel,
                        configuration: .init(
                            inboundType: HTTPClientResponsePart.self, outboundType: HTTPClientRequestPart.self))
                }
            }
        return try await connection.executeThenClose { inbound, outbound in
            // A write reports only that the connection is closed; the reason (for example a certificate) comes from the
            // read.
            try? await outbound.write(contentsOf: [.head(head(of: request)), .end(nil)])
            return try await response(inbound, to: request)
        }
    }

    /// Nil for an IP address, which SNI does not allow; the certificate must then name the address.
    private var serverName: String? {
        (try? SocketAddress(ipAddress: web.host, port: web.port)) == nil ? web.host : nil
    }

    private func head(of request: UpstreamRequest) -> HTTPRequestHead {
        var headers = HTTPHeaders(request.headers.sorted { $0.key < $1.key }.map { ($0.key, $0.value) })
        headers.replaceOrAdd(name: "Host", value: web.authority)
        headers.replaceOrAdd(name: "Connection", value: "close")
        return HTTPRequestHead(version: .http1_1, method: .GET, uri: web.target, headers: headers)
    }

    private func response(
        _ parts: NIOAsyncChannelInboundStream<HTTPClientResponsePart>, to request: UpstreamRequest
    ) async throws -> UpstreamResponse {
        var head: HTTPResponseHead?
        var body: [UInt8] = []
        for try await part in parts {
            switch part {
            case .head(let received):
                guard (200..<300).contains(received.status.code) else {
                    return Self.response(received, body: [])
                }
                try check(received.headers, of: request)
                head = received
            case .body(let bytes):
                guard body.count + bytes.readableBytes <= bodyLimit else { throw tooLarge(request) }
                body.append(contentsOf: bytes.readableBytesView)
            case .end:
                if let head { return Self.response(head, body: body) }
            }
        }
        try Task.checkCancellation()
        throw UpstreamError(.transport, "\(request.upstream) closed the connection before its answer was complete.")
    }

    private static func response(_ head: HTTPResponseHead, body: [UInt8]) -> UpstreamResponse {
        UpstreamResponse(
            status: Int(head.status.code), contentType: head.headers.first(name: "Content-Type"),
            location: head.headers.first(name: "Location"),
            demoData: head.headers.first(name: UpstreamResponse.demoDataHeader), body: body)
    }

    /// Rejects a body that is too large, and a body that ends with its connection: it may be incomplete.
    private func check(_ headers: HTTPHeaders, of request: UpstreamRequest) throws {
        if let length = headers.first(name: "Content-Length") {
            guard Int(length).map({ $0 <= bodyLimit }) ?? false else { throw tooLarge(request) }
        } else if !headers[canonicalForm: "Transfer-Encoding"].contains(where: { $0.lowercased() == "chunked" }) {
            throw UpstreamError(.malformed, "\(request.upstream) does not say where its answer ends.")
        }
    }

    private func tooLarge(_ request: UpstreamRequest) -> UpstreamError {
        UpstreamError(.malformed, "\(request.upstream) answered with a body of more than \(bodyLimit) bytes.")
    }
}
