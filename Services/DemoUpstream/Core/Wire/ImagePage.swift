/// The hits of one image search, of which a request sees one page.
struct ImagePage: Sendable {
    static let empty = ImagePage(documents: [], totalCount: 0)

    let documents: [ImageHit]
    /// The number of hits that the search engine states; more than it returns.
    let totalCount: Int

    /// The body for one page of the hits, with all addresses pointing to `base` ("http://127.0.0.1:8080").
    ///
    /// A recorded page holds 80 of the 1,610 hits that Kakao reported: `pageable_count` states the available number, so
    /// that paging ends with the last hit.
    func body(_ request: ImageSearchRequest, base: String) -> [UInt8] {
        let ordered = request.sort == .recency ? documents.sorted { $0.datetime > $1.datetime } : documents
        let start = min(ordered.count, (request.page - 1) * request.size)
        let end = min(ordered.count, start + request.size)
        let meta = OrderedJSON.object([
            ("is_end", .bool(end == ordered.count)),
            ("pageable_count", .number(ordered.count)),
            ("total_count", .number(totalCount)),
        ])
        let hits = ordered[start..<end].map { json($0, base: base) }
        return OrderedJSON.object([("documents", .array(hits)), ("meta", meta)]).bytes
    }

    private func json(_ document: ImageHit, base: String) -> OrderedJSON {
        .object([
            ("collection", .string(document.collection)),
            ("datetime", .string(document.datetime)),
            ("display_sitename", .string(document.siteName)),
            ("doc_url", .string(base + document.picture.pagePath)),
            ("height", .number(document.height)),
            ("image_url", .string(base + document.picture.imagePath)),
            ("thumbnail_url", .string(base + document.picture.thumbnailPath)),
            ("width", .number(document.width)),
        ])
    }
}

/// One hit of an image search; its picture is always one that this server draws.
struct ImageHit: Sendable {
    let collection: String
    /// "2023-06-10T12:36:51.000+09:00"
    let datetime: String
    let siteName: String
    let width: Int
    let height: Int
    /// The picture; the writer derives addresses of this server from it.
    let picture: PosterAddress
}
