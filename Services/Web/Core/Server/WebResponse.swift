import HTTPTypes
import Hummingbird
import NIOCore
import Zlib

/// An answer before it is written: a body with a status and header fields.
struct WebResponse: Sendable {
    /// Writes a whole body; nil when only the fields are asked for.
    typealias Stream = @Sendable (PieceWriter?) async throws -> Void

    enum Body: Sendable {
        case bytes([UInt8])
        /// The bytes beside the same bytes compressed.
        case compressed(ByteBuffer, gzip: ByteBuffer)
        /// The bytes as they are sent, which the fields describe.
        case ready(ByteBuffer)
        /// Pieces as they become ready; it is called once.
        case stream(Stream)
    }

    var status: HTTPResponse.Status
    var fields: HTTPFields
    var body: Body

    init(
        _ status: HTTPResponse.Status, _ body: Body, _ mediaType: String, cache: String = "no-store",
        _ more: HTTPFields = [:]
    ) {
        self.status = status
        self.body = body
        fields = SecurityFields.all
        fields.append(contentsOf: more)
        fields[.contentType] = mediaType
        fields[.cacheControl] = cache
    }

    init(
        _ status: HTTPResponse.Status, _ bytes: [UInt8], _ mediaType: String, cache: String = "no-store",
        _ more: HTTPFields = [:]
    ) {
        self.init(status, .bytes(bytes), mediaType, cache: cache, more)
    }

    static func html(_ status: HTTPResponse.Status, _ body: Body, _ more: HTTPFields = [:]) -> WebResponse {
        var response = WebResponse(status, body, "text/html; charset=utf-8", more)
        response.fields[.vary] = "Accept-Language, Accept-Encoding"
        return response
    }

    static func text(_ status: HTTPResponse.Status, _ text: String) -> WebResponse {
        WebResponse(status, Array("\(text)\n".utf8), "text/plain; charset=utf-8")
    }

    static func redirect(_ path: String) -> WebResponse {
        WebResponse(.seeOther, [], "text/plain; charset=utf-8", [.location: path])
    }

    /// The bytes of a body that is ready, 0 for others.
    var size: Int { if case .ready(let bytes) = body { bytes.readableBytes } else { 0 } }

    /// A body below this size grows by compression.
    private static let smallestCompressed = 512

    /// The same response to all requests that accept gzip, or to those that do not: nothing is left to do for one.
    static func ready(_ status: HTTPResponse.Status, _ fields: HTTPFields, _ bytes: ByteBuffer, isGzip: Bool)
        -> WebResponse
    {
        var response = html(status, .ready(bytes))
        for field in fields { response.fields[field.name] = field.value }
        response.fields[.contentLength] = String(bytes.readableBytes)
        if isGzip { response.fields[.contentEncoding] = "gzip" }
        return response
    }

    /// A HEAD request gets the fields of the body without the body.
    func response(to request: WebRequest) -> Response {
        if case .ready(let bytes) = body { return response(fields, bytes, isHead: request.method == .head) }
        var fields = fields
        let isText = fields[.contentType].map { $0.hasPrefix("text/") || $0.hasPrefix("application/json") } ?? false
        if isText, fields[.vary] == nil { fields[.vary] = "Accept-Encoding" }
        let isHead = request.method == .head
        let bytes: ByteBuffer
        switch body {
        case .stream(let write):
            return Response(status: status, headers: fields, body: Self.streamed(write, isHead: isHead))
        case .compressed(let plain, let gzip):
            bytes = request.meaning.acceptsGzip ? gzip : plain
            if request.meaning.acceptsGzip { fields[.contentEncoding] = "gzip" }
        case .bytes(let plain):
            let isCompressed = request.meaning.acceptsGzip && isText && plain.count >= Self.smallestCompressed
            bytes = ByteBuffer(bytes: isCompressed ? Zlib.gzip(plain, .fast) : plain)
            if isCompressed { fields[.contentEncoding] = "gzip" }
        case .ready(let ready): bytes = ready
        }
        fields[.contentLength] = String(bytes.readableBytes)
        return response(fields, bytes, isHead: isHead)
    }

    private func response(_ fields: HTTPFields, _ bytes: ByteBuffer, isHead: Bool) -> Response {
        if status == .notModified { return Response(status: status, headers: fields) }
        return Response(
            status: status, headers: fields,
            body: isHead
                ? ResponseBody(contentLength: bytes.readableBytes) { try await $0.finish(nil) }
                : Self.body(bytes))
    }

    /// An image goes out in pieces: what one write gives is kept until the client takes it.
    private static func body(_ bytes: ByteBuffer) -> ResponseBody {
        guard bytes.readableBytes > largestPiece else { return ResponseBody(byteBuffer: bytes) }
        return ResponseBody(contentLength: bytes.readableBytes) { writer in
            var rest = bytes
            while let piece = rest.readSlice(length: min(rest.readableBytes, largestPiece)), piece.readableBytes > 0 {
                try await writer.write(piece)
            }
            try await writer.finish(nil)
        }
    }

    private static let largestPiece = 64 << 10
}

extension WebResponse {
    private static func streamed(_ write: @escaping Stream, isHead: Bool) -> ResponseBody {
        ResponseBody { writer in
            let output = PieceWriter(writer)
            try await write(isHead ? nil : output)
            try await output.finish()
        }
    }
}

/// Writes a body in pieces; only the task of the response calls it.
final class PieceWriter: @unchecked Sendable {
    private var writer: any ResponseBodyWriter

    fileprivate init(_ writer: any ResponseBodyWriter) {
        self.writer = writer
    }

    /// Waits while the client is slow.
    @concurrent
    func write(_ piece: [UInt8]) async throws {
        try await writer.write(ByteBuffer(bytes: piece))
    }

    @concurrent
    fileprivate func finish() async throws {
        try await writer.finish(nil)
    }
}

/// The header fields that every response has: a page may load nothing from elsewhere, and belongs in no frame.
enum SecurityFields {
    static let all: HTTPFields = [
        .contentSecurityPolicy:
            "default-src 'none'; img-src 'self'; style-src 'self'; script-src 'self'; connect-src 'self'; form-action 'self'; base-uri 'none'; "
            + "frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types boxoffice",
        .xContentTypeOptions: "nosniff", .crossOriginOpenerPolicy: "same-origin",
        .crossOriginResourcePolicy: "same-origin",
        // Under no-referrer Chromium sends "Origin: null" with our own forms.
        .referrerPolicy: "same-origin",
    ]
}

/// Names that the library does not have.
extension HTTPField.Name {
    static let cacheStatus = fieldName("Cache-Status")
    static let crossOriginOpenerPolicy = fieldName("Cross-Origin-Opener-Policy")
    static let forwardedFor = fieldName("X-Forwarded-For")
    static let lastEventID = fieldName("Last-Event-ID")
    static let referrerPolicy = fieldName("Referrer-Policy")
    static let robotsTag = fieldName("X-Robots-Tag")
    static let forwarded = fieldName("Forwarded")
    static let secFetchDest = fieldName("Sec-Fetch-Dest")
    static let secFetchMode = fieldName("Sec-Fetch-Mode")
    static let secFetchSite = fieldName("Sec-Fetch-Site")
    static let secondHost = fieldName("Host")
    static let serverTiming = fieldName("Server-Timing")
    static let traceparent = fieldName("traceparent")
    static let accelBuffering = fieldName("X-Accel-Buffering")

    private static func fieldName(_ name: String) -> HTTPField.Name {
        guard let name = HTTPField.Name(name) else { preconditionFailure("\(name) is no name of a field") }
        return name
    }
}
