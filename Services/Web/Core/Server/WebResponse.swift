import HTTPTypes
import Hummingbird
import NIOCore
import Zlib

/// An answer before it is written: bytes with a status and header fields.
struct WebResponse: Sendable {
    var status: HTTPResponse.Status
    var fields: HTTPFields
    var bytes: [UInt8]
    /// The same bytes compressed, if they have been; else text is compressed for a client that accepts it.
    var compressed: [UInt8]?

    init(
        _ status: HTTPResponse.Status, _ bytes: [UInt8], _ mediaType: String, cache: String = "no-store",
        _ more: HTTPFields = [:]
    ) {
        self.status = status
        self.bytes = bytes
        fields = more
        fields[.contentType] = mediaType
        fields[.cacheControl] = cache
    }

    static func html(_ status: HTTPResponse.Status, _ bytes: [UInt8], _ more: HTTPFields = [:]) -> WebResponse {
        var response = WebResponse(status, bytes, "text/html; charset=utf-8", more)
        response.fields[.vary] = "Accept-Language, Accept-Encoding"
        return response
    }

    static func text(_ status: HTTPResponse.Status, _ text: String) -> WebResponse {
        WebResponse(status, Array("\(text)\n".utf8), "text/plain; charset=utf-8")
    }

    static func redirect(_ path: String) -> WebResponse {
        WebResponse(.seeOther, [], "text/plain; charset=utf-8", [.location: path])
    }

    /// A body below this size grows by compression.
    private static let smallestCompressed = 512

    /// - Parameter isHead: sends the fields of the body without the body.
    func response(to request: WebRequest) -> Response {
        var fields = fields
        SecurityFields.add(to: &fields)
        var body = bytes
        let isText = fields[.contentType].map { $0.hasPrefix("text/") || $0.hasPrefix("application/json") } ?? false
        if request.acceptsGzip, compressed != nil || (isText && bytes.count >= Self.smallestCompressed) {
            body = compressed ?? Zlib.gzip(bytes)
            fields[.contentEncoding] = "gzip"
        }
        if isText, fields[.vary] == nil { fields[.vary] = "Accept-Encoding" }
        let isHead = request.method == .head
        fields[.contentLength] = String(body.count)
        return Response(
            status: status, headers: fields,
            body: isHead
                ? ResponseBody(contentLength: body.count) { try await $0.finish(nil) }
                : ResponseBody(byteBuffer: ByteBuffer(bytes: body)))
    }
}

/// The header fields that every response has: a page may load nothing from elsewhere, and belongs in no frame.
enum SecurityFields {
    static func add(to fields: inout HTTPFields) {
        for (name, value) in all { fields[name] = value }
    }

    private static let all: [(HTTPField.Name, String)] = [
        (
            "Content-Security-Policy",
            "default-src 'none'; img-src 'self'; style-src 'self'; form-action 'self'; base-uri 'none'; "
                + "frame-ancestors 'none'; require-trusted-types-for 'script'"
        ),
        ("X-Content-Type-Options", "nosniff"), ("Cross-Origin-Opener-Policy", "same-origin"),
        ("Cross-Origin-Resource-Policy", "same-origin"),
        // Under no-referrer Chromium sends "Origin: null" with our own forms.
        ("Referrer-Policy", "same-origin"),
    ].compactMap { name, value in HTTPField.Name(name).map { ($0, value) } }
}
