import Assembly
import BoxOffice
import Contracts
import Envelope
import HTTPTypes
import Localization
import MessageBus
import NIOCore
import ProcessKit
import Zlib

/// The page of a chart: from the cache of pages, at once when all parts are stored, else film by film.
extension WebResponder {
    func chart(
        _ selection: ChartSelection, _ layout: ChartLayout, _ request: WebRequest
    ) async throws -> WebResponse {
        let moment = pages.moment
        let visitor = try queries.reserve(
            calls: VisitorQueries.Cost.chartWithFilms, for: request.client, trace: request.trace)
        return try await queries.settlingFailure(of: visitor) {
            let started = try await visitor.query.start(selection, top: Self.films)
            return try await response(to: request, started, visitor, layout, since: moment)
        }
    }

    /// - Parameter moment: when the query began.
    private func response(
        to request: WebRequest, _ started: StartedShow, _ visitor: VisitorQuery, _ layout: ChartLayout,
        since moment: PageCache.Moment
    ) async throws -> WebResponse {
        let frame = frame(request)
        let selection = started.assembly.selection
        let address = PageAddress.chart(selection, layout)
        let first = decoded.readable(started.assembly)
        let page = ChartPage(
            frame: frame, layout: layout, posters: configuration.posters, now: clock.now(), templates: templates,
            decoded: decoded)
        guard first.chart.value != nil, !started.assembly.missing.isEmpty else {
            _ = try await visitor.query.finish(started)
            _ = try visitor.value(of: first.chart)
            queries.settle(visitor)
            let how = explanationLink(visitor.query, address, frame)
            let html = page.html(first, notes: notes(of: visitor, frame), how: how)
            if let cacheable = cacheablePage(html, page.tag(first), first, selection) {
                pages.insert(cacheable, for: key(address, request), since: moment)
                var response = response(of: cacheable, to: request)
                response.fields[.cacheStatus] = Self.cacheStatus(first.chart)
                return response
            }
            return uncached(.bytes(html), first)
        }
        return uncached(.stream { try await stream(started, visitor, page, address, $0) }, first)
    }

    /// The films that have arrived, in their order, as soon as those before them have; reasons at the end.
    private func stream(
        _ started: StartedShow, _ visitor: VisitorQuery, _ page: ChartPage, _ address: PageAddress,
        _ output: PieceWriter?
    ) async throws {
        defer { queries.settle(visitor) }
        let first = decoded.readable(started.assembly)
        var shown = first
        var sent = 0
        func sendFilms(_ assembly: ShowAssembly, isLast: Bool = false) async throws {
            shown = assembly
            let ready = page.readyFilms(sent, of: assembly, isLast: isLast)
            guard !ready.isEmpty else { return }
            sent = ready.upperBound
            try await output?.write(page.rows(ready, of: assembly)[...])
        }
        try await output?.write(page.frame(first, awaitsRows: true).opening)
        do {
            let last = try await visitor.query.finish(started, partLimit: WebTiming.partLimit) { snapshot in
                try await sendFilms(decoded.readable(snapshot))
            }
            try await sendFilms(decoded.readable(last), isLast: true)
        } catch let failure as Failure {
            // The status has been sent: the films that are missing have this reason.
            for slot in shown.missing { shown.receive(.failed(failure), for: slot) }
            try await sendFilms(shown, isLast: true)
        }
        let how = explanationLink(visitor.query, address, page.frame)
        let notes = page.notes(shown) + notes(of: visitor, page.frame)
        try await output?.write(page.frame(shown, notes: notes, how: how, firstSource: first.source).closing)
    }

    /// Why only stored values are shown.
    private func notes(of visitor: VisitorQuery, _ frame: PageFrame) -> [String] {
        visitor.refusal.map { [$0.failure.message(frame.language)] } ?? []
    }

    // MARK: Cached pages

    func keptChart(_ address: PageAddress, _ request: WebRequest) -> WebResponse? {
        pages.page(key(address, request)).map { response(of: $0, to: request) }
    }

    private func key(_ address: PageAddress, _ request: WebRequest) -> PageCache.Key {
        PageCache.Key(
            address: address, language: request.language,
            isLanguageChosen: request.meaning.chosenLanguage != nil, yesterday: frame(request).yesterday)
    }

    /// The page as the cache keeps it; nil for an incomplete one.
    private func cacheablePage(
        _ html: [UInt8], _ tag: String, _ assembly: ShowAssembly, _ selection: ChartSelection
    ) -> PageCache.Page? {
        let ttls = assembly.parts.map { $0.cache?.ttl ?? 0 }
        guard assembly.isComplete, let ttl = ttls.min(), ttl > 0 else { return nil }
        let films = assembly.films.flatMap { film in
            [DetailRequest(code: film.code, isRefresh: false).cacheKey, PosterRequest.cacheKey(code: film.code)]
        }
        // A browser keeps the page, and asks each time whether it is still the same: a correction must not stay hidden.
        let fields: HTTPFields = [.cacheControl: "no-cache", .eTag: tag, .cacheStatus: "boxoffice; hit"]
        return PageCache.Page(
            plain: .ready(.ok, fields, ByteBuffer(bytes: html), isGzip: false),
            compressed: .ready(.ok, fields, ByteBuffer(bytes: Zlib.gzip(html)), isGzip: true), tag: tag,
            parts: [ChartRequest(selection, isRefresh: false).cacheKey] + films,
            freshUntil: .now + .seconds(ttl))
    }

    private func response(of page: PageCache.Page, to request: WebRequest) -> WebResponse {
        let response = request.meaning.acceptsGzip ? page.compressed : page.plain
        guard let field = request.fields[.ifNoneMatch] else { return response }
        let known = field.split(separator: ",").map { $0.filter { !$0.isWhitespace } }
        guard known.contains(where: { $0 == "*" || $0 == page.tag || "W/\($0)" == page.tag }) else { return response }
        var unchanged = response
        unchanged.status = .notModified
        unchanged.fields[.contentLength] = nil
        return unchanged
    }

    private func uncached(_ body: WebResponse.Body, _ assembly: ShowAssembly) -> WebResponse {
        var response = WebResponse.html(.ok, body)
        response.fields[.cacheStatus] = Self.cacheStatus(assembly.chart)
        return response
    }

    /// Of RFC 9211: cache-store for the part that the answer cannot do without, and this server's own cache behind it.
    ///
    /// - Parameter own: what its own cache did.
    static func cacheStatus(_ part: PartOutcome, own: String = "fwd=miss") -> String {
        "cache-store; \(part.cache?.field ?? "fwd=miss"), boxoffice; \(own)"
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

extension ShowAssembly {
    /// Differs when a part differs, in its value or in its status; 16 hexadecimal digits.
    var version: String {
        // FNV-1a over the checksums of the parts.
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
        func add(_ number: UInt64) { hash = (hash ^ number) &* 0x0100_0000_01b3 }
        for part in [chart] + films.flatMap({ [$0.detail, $0.poster] }) {
            add(UInt64(Zlib.crc32(part?.value ?? [])))
            add(UInt64(Zlib.crc32(Array((part?.status.rawValue ?? "").utf8))))
        }
        return String(hash, radix: 16)
    }
}
