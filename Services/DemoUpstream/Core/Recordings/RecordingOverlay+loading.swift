import BoxOffice

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

extension RecordingOverlay {
    /// Reads a folder of recordings: `daily-YYYYMMDD*.json` (and `weekly-`, `weekend-`, `weekdays-`, by the first day),
    /// `movieinfo-CODE*.json`, `kakao-query-*.json`, `kakao-image-*.json` and `kakao-titles.json`; files of other names are
    /// left alone.
    ///
    /// Where two files answer the same request, the first by name is taken.
    ///
    /// - Throws: ``RecordingError``, naming the file.
    public static func load(from folder: String) throws -> RecordingOverlay {
        let names: [String]
        do {
            names = try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
        } catch {
            throw RecordingError.unreadable(folder, error)
        }
        var overlay = RecordingOverlay()
        let titlesPath = "\(folder)/\(titlesFile)"
        let titles = try names.contains(titlesFile) ? decoded([String: String].self, at: titlesPath).value : [:]
        for name in names where name.hasSuffix(".json") {
            let path = "\(folder)/\(name)"
            if let kind = ChartKind.allCases.first(where: { name.hasPrefix("\($0.rawValue)-") }) {
                try overlay.addChart(kind, named: name.dropFirst(kind.rawValue.count + 1), at: path)
            } else if name.hasPrefix("movieinfo-") {
                try overlay.addDetail(named: name.dropFirst("movieinfo-".count), at: path)
            } else if let subject = RecordedImagePage.subject(ofFile: name, titles: titles) {
                try overlay.addImagePage(about: subject, at: path)
            }
        }
        return overlay
    }

    private mutating func addChart(_ kind: ChartKind, named name: Substring, at path: String) throws {
        guard let day = Day(compact: String(name.prefix(8))), !(name.dropFirst(8).first?.isNumber ?? false) else {
            throw RecordingError.malformed(path, "its name does not begin with a date (daily-20220105…json)")
        }
        let (body, chart) = try Self.decoded(RecordedBody.Chart.self, at: path)
        let result = chart.boxOfficeResult
        let selection = ChartSelection(kind, around: day)
        let rows = kind == .daily ? result.dailyBoxOfficeList : result.weeklyBoxOfficeList
        let days = selection.days
        guard let rows, result.showRange == "\(days.lowerBound.compact)~\(days.upperBound.compact)" else {
            throw RecordingError.malformed(path, "it holds another chart, that of \(result.showRange)")
        }
        guard charts[selection] == nil else { return }
        charts[selection] = body
        for row in rows {
            try add(RecordedFilm(code: row.movieCd, title: row.movieNm, releaseDay: Day(iso: row.openDt)), from: path)
        }
    }

    private mutating func addDetail(named name: Substring, at path: String) throws {
        let code = name.dropLast(".json".count).prefix { $0 != "-" }
        let (body, detail) = try Self.decoded(RecordedBody.Detail.self, at: path)
        let film = detail.movieInfoResult.movieInfo
        guard film.movieCd == code else {
            throw RecordingError.malformed(path, "its name says film \(code), its body film \(film.movieCd)")
        }
        guard details[film.movieCd] == nil else { return }
        details[film.movieCd] = body
        let releaseDay = Day(compact: film.openDt)
        try add(RecordedFilm(code: film.movieCd, title: film.movieNm, releaseDay: releaseDay), from: path)
    }

    private mutating func add(_ film: RecordedFilm, from path: String) throws {
        guard PosterAddress.isName(film.code) else {
            throw RecordingError.malformed(path, "it names a film code that is none")
        }
        if films[film.code] == nil { films[film.code] = film }
    }

    private mutating func addImagePage(about subject: RecordedImagePage.Subject, at path: String) throws {
        let images = try Self.decoded(RecordedBody.Images.self, at: path).value
        if images.documents.isEmpty, case .title = subject { return }
        let name = "recorded-\(imagePages.count + 1)"
        let documents = images.documents.enumerated().map { index, document in
            let picture = PosterAddress(
                name: name, number: index + 1, width: document.width, height: document.height)
            return ImageDocument(
                collection: document.collection, datetime: document.datetime, siteName: document.displaySiteName,
                width: picture.width, height: picture.height, picture: picture)
        }
        imagePages.append(
            RecordedImagePage(
                subject: subject, page: ImagePage(documents: documents, totalCount: images.meta.totalCount)))
    }

    private static func decoded<Value: Decodable>(
        _ type: Value.Type, at path: String
    ) throws -> (body: [UInt8], value: Value) {
        let data: Data
        do {
            data = try Data(contentsOf: URL(fileURLWithPath: path))
        } catch {
            throw RecordingError.unreadable(path, error)
        }
        do {
            return (Array(data), try JSONDecoder().decode(type, from: data))
        } catch {
            throw RecordingError.malformed(path, "it is not a body of that endpoint (\(error))")
        }
    }
}

private let titlesFile = "kakao-titles.json"
