internal import AsyncHTTPClient
internal import NIOCore
internal import NIOHTTP1
internal import NIOPosix
internal import NIOSSL

extension UpstreamError {
    static func timeout(_ request: UpstreamRequest, after granted: Duration) -> UpstreamError {
        UpstreamError(.timeout, "\(request.upstream) did not answer within \(granted.wholeMilliseconds) ms.")
    }

    /// The meaning of an error of the HTTP client.
    package static func failure(
        _ error: any Error, of request: UpstreamRequest, within granted: Duration, bodyLimit: Int
    ) -> UpstreamError {
        let upstream = request.upstream
        switch error {
        case let error as UpstreamError:
            return error
        case let error as HTTPClientError:
            return failure(error, of: request, within: granted)
        case is NIOTooManyBytesError:
            return UpstreamError(.malformed, "\(upstream) answered with a body of more than \(bodyLimit) bytes.")
        case let error as NIOConnectionError:
            let reason = error.connectionErrors.first.map { "\($0.error)" } ?? "its name does not resolve"
            return UpstreamError(.transport, "\(upstream) at \(request.authority) cannot be reached: \(reason).")
        case let error as IOError:
            return UpstreamError(
                .transport, "The connection to \(upstream) at \(request.authority) failed: \(error.plainReason).")
        case ChannelError.connectTimeout:
            return timeout(request, after: granted)
        case NIOSSLError.uncleanShutdown, NIOSSLError.handshakeFailed(.sslError([.eofDuringHandshake])):
            return UpstreamError(.transport, "\(upstream) closed the connection before its answer was complete.")
        case is NIOSSLError, is NIOSSLExtraError, is BoringSSLError:
            // A failed handshake may be temporary; a certificate does not change within seconds.
            let isDistrusted = error is NIOSSLExtraError || "\(error)".contains("CERTIFICATE_VERIFY_FAILED")
            return UpstreamError(
                .transport, "\(upstream) at \(request.authority) offers no TLS connection that can be trusted.",
                isRetryable: !isDistrusted)
        case is HTTPParserError:
            return UpstreamError(.transport, "\(upstream) broke off in the middle of its answer, or sent no HTTP.")
        default:
            return UpstreamError(.transport, "The connection to \(upstream) failed: \(error).")
        }
    }

    private static func failure(
        _ error: HTTPClientError, of request: UpstreamRequest, within granted: Duration
    ) -> UpstreamError {
        switch error {
        case .deadlineExceeded, .connectTimeout, .readTimeout, .writeTimeout, .tlsHandshakeTimeout,
            .getConnectionFromPoolTimeout:
            return timeout(request, after: granted)
        case .remoteConnectionClosed, .uncleanShutdown:
            return UpstreamError(
                .transport, "\(request.upstream) closed the connection before its answer was complete.")
        case .invalidURL, .emptyHost, .emptyScheme, .unsupportedScheme(request.scheme):
            return UpstreamError(
                .configuration, "The request to \(request.upstream) has no valid URL: check its base URL.")
        default:
            // The short description contains no values; the long one may contain a header value, which is the key.
            return UpstreamError(
                .transport, "The request to \(request.upstream) failed: \(error.shortDescription).",
                isRetryable: error != .alreadyShutdown)
        }
    }
}

extension UpstreamRequest {
    fileprivate var scheme: String { String(url.prefix { $0 != ":" }) }

    /// Host and port: the part of the URL that is not secret.
    var authority: String {
        String(url.drop { $0 != "/" }.drop { $0 == "/" }.prefix { !"/?#".contains($0) })
    }
}

extension Duration {
    fileprivate var wholeMilliseconds: Int64 {
        max(0, components.seconds * 1000 + components.attoseconds / 1_000_000_000_000_000)
    }
}

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#else
    internal import Darwin
#endif

extension IOError {
    /// The reason without the name of the system call, with which `description` begins.
    var plainReason: String {
        switch errnoCode {
        case ECONNREFUSED: "connection refused"
        case ECONNRESET, EPIPE: "connection reset by the other side"
        case EHOSTUNREACH, ENETUNREACH, ENETDOWN: "no route to the host"
        case ETIMEDOUT: "connection timed out"
        default: description
        }
    }
}
