import Domain
import Recordings

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

extension RecordingOverlay {
    /// Reads a folder of recordings with names of `RecordingName`, `kakao-image-*.json` and `kakao-titles.json`, and
    /// ignores other files.
    ///
    /// If two files answer the same request, the first by name is used.
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
            let recording: RecordingName?
            do throws(RecordingName.Malformed) {
                recording = try RecordingName(fileName: name)
            } catch {
                throw RecordingError.malformed(path, "\(error)")
            }
            switch recording {
            case .chart(let selection): try overlay.addChart(selection, at: path)
            case .film(let code): try overlay.addDetail(code, at: path)
            case .films(let search): try overlay.addSearch(search, at: path)
            case .images(let query): try overlay.addImagePage(about: .query(ImageQuery.folded(query)), at: path)
            case nil:
                guard let subject = RecordedImagePage.subject(ofFile: name, titles: titles) else { continue }
                try overlay.addImagePage(about: subject, at: path)
            }
        }
        return overlay
    }

    private mutating func addChart(_ selection: ChartSelection, at path: String) throws {
        let (body, chart) = try Self.decoded(RecordedBody.Chart.self, at: path)
        let result = chart.boxOfficeResult
        let rows = selection.kind == .daily ? result.dailyBoxOfficeList : result.weeklyBoxOfficeList
        // A week that was recorded before its end has fewer days.
        let start = "\(selection.days.lowerBound.compact)~"
        guard let rows, result.showRange.map({ $0.hasPrefix(start) }) ?? true else {
            throw RecordingError.malformed(path, "it holds another chart, that of \(result.showRange ?? "other days")")
        }
        guard charts[selection] == nil else { return }
        charts[selection] = body
        for row in rows {
            try add(
                RecordedFilm(code: row.movieCd, title: row.movieNm, releaseDay: row.openDt.flatMap(Day.init(iso:))),
                from: path)
        }
    }

    private mutating func addDetail(_ code: String, at path: String) throws {
        let (body, detail) = try Self.decoded(RecordedBody.Detail.self, at: path)
        let film = detail.movieInfoResult.movieInfo
        guard film.movieCd.uppercased() == code.uppercased() else {
            throw RecordingError.malformed(path, "its name says film \(code), its body film \(film.movieCd)")
        }
        guard details[film.movieCd] == nil else { return }
        details[film.movieCd] = body
        try add(RecordedFilm(film), from: path, isWhole: true)
    }

    private mutating func addSearch(_ search: FilmSearch, at path: String) throws {
        let (body, list) = try Self.decoded(RecordedBody.FilmList.self, at: path)
        guard searches[search] == nil else { return }
        searches[search] = body
        for film in list.movieListResult.movieList { try add(RecordedFilm(film), from: path) }
    }

    /// - Parameter isWhole: whether it takes precedence over other bodies about the film.
    private mutating func add(_ film: RecordedFilm, from path: String, isWhole: Bool = false) throws {
        guard PosterAddress.isName(film.code) else {
            throw RecordingError.malformed(path, "it names a film code that is none")
        }
        if isWhole || films[film.code] == nil { films[film.code] = film }
    }

    private mutating func addImagePage(about subject: RecordedImagePage.Subject, at path: String) throws {
        let images = try Self.decoded(RecordedBody.Images.self, at: path).value
        if images.documents.isEmpty, case .title = subject { return }
        let name = "recorded-\(imagePages.count + 1)"
        let documents = images.documents.enumerated().map { index, document in
            let picture = PosterAddress(
                name: name, number: index + 1, width: document.width, height: document.height)
            return ImageHit(
                collection: document.collection ?? "", datetime: document.datetime ?? "",
                siteName: document.displaySiteName ?? "",
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
