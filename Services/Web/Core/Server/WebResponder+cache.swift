import Assembly
import Domain
import Envelope
import HTTPTypes
import Localization
import NIOCore
import Zlib

/// A page of stored parts as it was just made.
struct MadePage {
    let html: [UInt8]
    /// The first one is the one that the page cannot do without.
    let parts: [PartOutcome]
    /// The cache keys of all that it depends on.
    let keys: [String]
    /// Whether it shows all that it is about, and no reason why something is missing.
    let isWhole: Bool
    /// The longest time for which it may be kept, in seconds.
    var longest = Int.max

    /// The time for which it may be kept; nil for an incomplete one.
    fileprivate var lifetime: Duration? {
        guard isWhole, parts.allSatisfy({ $0.status == .ok }) else { return nil }
        let ttl = min(longest, parts.map { $0.cache?.ttl ?? 0 }.min() ?? 0)
        return ttl > 0 ? .seconds(ttl) : nil
    }
}

extension [UInt8] {
    /// A weak tag (RFC 9110, 8.8.3): the same content may be compressed or not.
    fileprivate var entityTag: String { "W/\"\(String(Zlib.crc32(self), radix: 16))-\(count)\"" }
}

/// Pages that the cache keeps: complete ones only.
extension WebResponder {
    func keptPage(_ address: PageAddress, _ request: WebRequest) -> WebResponse? {
        pages.page(key(address, request)).map { response(of: $0, to: request) }
    }

    /// The page as an answer; a complete one is kept.
    ///
    /// - Parameter moment: when its query began.
    func answer(
        to request: WebRequest, _ address: PageAddress, _ page: MadePage, since moment: PageCache.Moment
    ) -> WebResponse {
        var answer: WebResponse
        if let lifetime = page.lifetime {
            let complete = complete(page, for: lifetime)
            pages.insert(complete, for: key(address, request), since: moment)
            answer = response(of: complete, to: request)
        } else {
            answer = .html(.ok, .bytes(page.html))
        }
        if let part = page.parts.first { answer.fields[.cacheStatus] = Self.cacheStatus(part) }
        return answer
    }

    private func key(_ address: PageAddress, _ request: WebRequest) -> PageCache.Key {
        PageCache.Key(
            address: address, language: request.language,
            isLanguageChosen: request.meaning.chosenLanguage != nil, yesterday: yesterday)
    }

    private func complete(_ page: MadePage, for lifetime: Duration) -> PageCache.Page {
        // A browser keeps the page, and asks each time whether it is still the same: a correction must not stay hidden.
        let tag = page.html.entityTag
        let fields: HTTPFields = [.cacheControl: "no-cache", .eTag: tag, .cacheStatus: "boxoffice; hit"]
        return PageCache.Page(
            plain: .ready(.ok, fields, ByteBuffer(bytes: page.html), isGzip: false),
            compressed: .ready(.ok, fields, ByteBuffer(bytes: Zlib.gzip(page.html)), isGzip: true), tag: tag,
            parts: page.keys, freshUntil: .now + lifetime)
    }

    private func response(of page: PageCache.Page, to request: WebRequest) -> WebResponse {
        let response = request.meaning.acceptsGzip ? page.compressed : page.plain
        return request.hasStored(page.tag) ? response.unchanged : response
    }

    /// Of RFC 9211: cache-store for the part that the answer cannot do without, and this server's own cache behind it.
    ///
    /// - Parameter own: what its own cache did.
    static func cacheStatus(_ part: PartOutcome, own: String = "fwd=miss") -> String {
        "cache-store; \(part.cache?.field ?? "fwd=miss"), boxoffice; \(own)"
    }
}

extension WebRequest {
    /// Whether the client has the answer with this tag.
    fileprivate func hasStored(_ tag: String) -> Bool {
        guard let field = fields.value(of: .ifNoneMatch) else { return false }
        let known = field.split(separator: ",").map { $0.filter { !$0.isWhitespace } }
        return known.contains { $0 == "*" || $0 == tag || "W/\($0)" == tag }
    }
}

extension WebResponse {
    /// The answer with a tag, or the news that the client has it already.
    ///
    /// - Parameter content: what the answer shows; its bytes may differ by the time of the question.
    func tagged(by content: [UInt8], for request: WebRequest) -> WebResponse {
        guard status == .ok else { return self }
        let tag = content.entityTag
        var answer = self
        answer.fields[.eTag] = tag
        // A client keeps it, and asks each time whether it is still the same.
        if fields[.cacheControl] == "no-store" { answer.fields[.cacheControl] = "no-cache" }
        return request.hasStored(tag) ? answer.unchanged : answer
    }

    fileprivate var unchanged: WebResponse {
        var answer = self
        answer.status = .notModified
        answer.fields[.contentLength] = nil
        return answer
    }
}

extension CacheStatus {
    /// The parameters of RFC 9211.
    fileprivate var field: String {
        let forward = fwd == .stale ? "stale" : fwd == .bypass ? "bypass" : "uri-miss"
        return
            ([
                hit ? "hit" : "fwd=\(forward)", collapsed == true ? "collapsed" : nil, stored == true ? "stored" : nil,
                ttl.map { "ttl=\($0)" },
            ] as [String?]).compactMap(\.self).joined(separator: "; ")
    }
}
