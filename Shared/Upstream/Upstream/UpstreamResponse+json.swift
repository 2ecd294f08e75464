#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

extension UpstreamResponse {
    /// Decodes the body as JSON; the error states why it is unreadable.
    package func decode<Body: Decodable>(_ type: Body.Type, from upstream: String) throws -> Body {
        guard !body.isEmpty else {
            throw malformed("\(upstream) answered with an empty body.", isRetryable: true)
        }
        do {
            do {
                return try JSONDecoder().decode(type, from: Data(body))
            } catch let error as DecodingError {
                let repaired = LoneSurrogates.replaced(in: body)
                guard repaired != body else { throw error }
                return try JSONDecoder().decode(type, from: Data(repaired))
            }
        } catch let error as DecodingError {
            throw malformed(error, from: upstream)
        }
    }

    private func malformed(_ error: DecodingError, from upstream: String) -> UpstreamError {
        guard let (path, reason) = error.place else {
            return malformed("\(upstream) answered with \(appearance) instead of JSON.", isRetryable: true)
        }
        return malformed("\(upstream) answered with something unreadable in \(path): \(reason).", isRetryable: false)
    }

    package func malformed(_ message: String, isRetryable: Bool) -> UpstreamError {
        UpstreamError(.malformed, message, httpStatus: status, isRetryable: isRetryable)
    }

    /// A description of a body that is not JSON.
    private var appearance: String {
        let whitespace: Set<UInt8> = [0x09, 0x0A, 0x0D, 0x20]
        switch body.first(where: { !whitespace.contains($0) }) {
        case nil: return "white space"
        case UInt8(ascii: "<"): return "HTML or XML"
        case UInt8(ascii: "{"), UInt8(ascii: "["): return "a broken or cut-off body of \(body.count) bytes"
        default: return contentType.map { "\(body.count) bytes of \($0)" } ?? "\(body.count) bytes of something else"
        }
    }
}

extension DecodingError {
    /// The unreadable member and the reason; nil when the body is not JSON.
    fileprivate var place: (path: String, reason: String)? {
        switch self {
        case .keyNotFound(let key, let context):
            (Self.path(context.codingPath + [key]), "it is missing")
        case .valueNotFound(_, let context):
            (Self.path(context.codingPath), "it is null")
        case .typeMismatch(_, let context):
            (Self.path(context.codingPath), context.debugDescription)
        case .dataCorrupted(let context):
            context.codingPath.isEmpty ? nil : (Self.path(context.codingPath), context.debugDescription)
        @unknown default:
            ("the body", "\(self)")
        }
    }

    /// "boxOfficeResult.dailyBoxOfficeList[3].audiCnt".
    private static func path(_ keys: [any CodingKey]) -> String {
        guard !keys.isEmpty else { return "the body" }
        return keys.reduce(into: "") { path, key in
            if let index = key.intValue {
                path += "[\(index)]"
            } else {
                path += path.isEmpty ? key.stringValue : ".\(key.stringValue)"
            }
        }
    }
}
