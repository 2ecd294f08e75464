import Domain

/// A recorded page of an image search, and the searches that it answers.
///
/// A recorded page does not say what was searched for, so its file name does:
/// * `kakao-query-<query>.json` answers exactly that query ("밀수 영화 포스터"), percent-encoded or plain;
/// * `kakao-image-<anything>-<title>.json` answers every query that contains the title as whole words. The title may be
///   percent-encoded, and it may be a short name that `kakao-titles.json` in the same folder, an object of short name and
///   title such as `{"smugglers": "밀수"}`, explains. The short names below need no such file.
///
/// A page without hits answers only as `kakao-query-…`: `kakao-image-empty.json` belongs to no film.
struct RecordedImagePage: Sendable {
    enum Subject: Sendable, Equatable {
        /// In the form of `ImageQuery.folded`.
        case query(String)
        case title(String)
    }

    /// Short names of the pages in the project's recordings.
    static let knownTitles = ["smugglers": "밀수"]

    let subject: Subject
    let page: ImagePage

    func answers(_ query: ImageQuery) -> Bool {
        switch subject {
        case .query(let text): text == query.folded
        case .title(let title): query.contains(title: title)
        }
    }

    /// The subject of a `kakao-image-` file; nil for any other name.
    static func subject(ofFile name: String, titles: [String: String]) -> Subject? {
        guard name.hasSuffix(".json") else { return nil }
        let stem = name.dropLast(5)
        guard stem.hasPrefix("kakao-image-"), let last = stem.split(separator: "-").last else { return nil }
        let short = PercentCoding.decoded(last) ?? String(last)
        return .title(titles[short] ?? knownTitles[short] ?? short)
    }
}
