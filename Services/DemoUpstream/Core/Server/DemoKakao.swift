import Domain

/// Answers an image search as Kakao does, with pictures of this server only.
struct DemoKakao: Sendable {
    static let path = "/v2/search/image"

    let world: DemoWorld
    let catalog: DemoFilmCatalog
    let recordings: RecordingOverlay

    /// - Parameters:
    ///   - authorization: the header of that name, which carries the key.
    ///   - base: this server's own address, for the pictures.
    func search(_ parameters: QueryParameters, authorization: String?, base: String) -> DemoAnswer {
        let key = Self.key(in: authorization)
        guard let key, Self.isKey(key) else { return .refusal(.wrongKey(key ?? "null")) }
        do {
            let request = try ImageSearchRequest(parameters)
            if let page = recordings.imagePage(for: request.query) {
                return DemoAnswer(body: page.body(request, base: base), origin: .recorded)
            }
            let recorded = subjects(recordings.films(titled:), request.query) { $0.subject }
            let subjects = recorded.isEmpty ? subjects(catalog.films(titled:), request.query) { $0.subject } : recorded
            let documents = subjects.flatMap { $0.documents(seed: world.seed) }
            let page = ImagePage(documents: documents, totalCount: documents.count)
            return DemoAnswer(body: page.body(request, base: base), origin: recorded.isEmpty ? .generated : .derived)
        } catch {
            return .refusal(error.refusal)
        }
    }

    /// The key that a caller sent, nil when there is none.
    static func key(in authorization: String?) -> String? {
        guard let authorization, authorization.hasPrefix("KakaoAK ") else { return nil }
        return String(authorization.dropFirst("KakaoAK ".count))
    }

    private static func isKey(_ key: String) -> Bool {
        (8...64).contains(key.utf8.count) && key.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber) }
    }

    /// The films of a query, by the first reading that finds any; those of about the requested year come first.
    private func subjects<Film>(
        _ films: (String) -> [Film], _ query: ImageQuery, as subject: (Film) -> PosterSubject
    ) -> [PosterSubject] {
        for reading in query.readings {
            let found = films(reading.title).map(subject)
            guard let year = reading.year else {
                if found.isEmpty { continue }
                return found
            }
            let near = found.filter { abs(($0.releaseDay?.components.year ?? 0) - year) <= 1 }
            return near + found.filter { film in !near.contains { $0.code == film.code } }
        }
        return []
    }
}

extension DemoFilm {
    fileprivate var subject: PosterSubject { PosterSubject(code: code, releaseDay: releaseDay) }
}

extension RecordedFilm {
    fileprivate var subject: PosterSubject { PosterSubject(code: code, releaseDay: releaseDay) }
}
