public import Domain

/// The file name of a recorded body, which identifies the request that the body answers; used for recording and replay.
///
/// `daily-20220105.json` (and `weekly-`, `weekend-`, `weekdays-`, by the first day), `movieinfo-20199882.json`,
/// `movielist+page=1+size=100+title=밀수.json`, `kakao-query-밀수 영화 포스터.json`. A part of a chart is named after "+":
/// `daily-20220105+nation=korean+region=seoul.json`. The file contains the upstream's body, byte for byte.
public enum RecordingName: Sendable, Hashable {
    case chart(ChartSelection)
    /// A film, by its code.
    case film(String)
    /// A page of the catalogue; the upstream does not filter adult films.
    case films(FilmSearch)
    /// Images, by the words of the search.
    case images(String)

    /// Nil when the name is too long for a file system.
    public var fileName: String? {
        let name =
            switch self {
            case .chart(let selection):
                "\(selection.kind.rawValue)-\(selection.days.lowerBound.compact)\(Self.suffix(selection.filter)).json"
            case .film(let code): "movieinfo-\(code.escapedForFileName).json"
            case .films(let search): "\(Self.searchPrefix)\(Self.text(search)).json"
            case .images(let query): "kakao-query-\(query.nfc.escapedForFileName).json"
            }
        return name.utf8.count <= 255 ? name : nil
    }

    /// Parses a name; nil for a name of another kind.
    ///
    /// A text after "-" in the name of a chart or a film is a comment and is ignored: `daily-20220105-first.json`.
    ///
    /// - Throws: ``Malformed`` for a name of a known kind that cannot be parsed.
    public init?(fileName: String) throws(Malformed) {
        guard fileName.hasSuffix(".json") else { return nil }
        let stem = fileName.dropLast(".json".count)
        if let kind = ChartKind.allCases.first(where: { stem.hasPrefix("\($0.rawValue)-") }) {
            self = .chart(try Self.selection(kind, stem.dropFirst(kind.rawValue.count + 1)))
        } else if stem.hasPrefix("movieinfo-") {
            self = .film(String(stem.dropFirst("movieinfo-".count).prefix { $0 != "-" }))
        } else if stem.hasPrefix(Self.searchPrefix) {
            self = .films(try Self.search(stem.dropFirst(Self.searchPrefix.count)))
        } else if stem.hasPrefix("kakao-query-") {
            let text = stem.dropFirst("kakao-query-".count)
            self = .images(PercentCoding.decoded(text) ?? String(text))
        } else {
            return nil
        }
    }

    /// A name with the prefix of a recording and an invalid rest.
    public struct Malformed: Error, Sendable, CustomStringConvertible {
        public let description: String
    }

    private static func suffix(_ filter: ChartFilter) -> String {
        let parts = [
            ("diversity", filter.diversity?.rawValue), ("nation", filter.nation?.rawValue),
            ("region", filter.region?.rawValue),
        ]
        return parts.compactMap { name, value in value.map { "+\(name)=\($0)" } }.joined()
    }

    private static func selection(_ kind: ChartKind, _ text: Substring) throws(Malformed) -> ChartSelection {
        guard let day = Day(compact: String(text.prefix(8))), !(text.dropFirst(8).first?.isNumber ?? false) else {
            throw Malformed(description: "its name does not begin with a date (daily-20220105…json)")
        }
        var filter = ChartFilter.everything
        let rest = text.dropFirst(8)
        for part in rest.hasPrefix("+") ? rest.split(separator: "+") : [] {
            let words = part.split(separator: "=", maxSplits: 1).map(String.init)
            let value = words.last ?? ""
            switch words.first {
            case "diversity": filter.diversity = .init(rawValue: value)
            case "nation": filter.nation = .init(rawValue: value)
            case "region": filter.region = .init(rawValue: value)
            default: break
            }
            guard Self.suffix(filter).contains("+\(part)") else {
                throw Malformed(description: "its name has an unknown part: \(part)")
            }
        }
        return ChartSelection(kind, around: day, filter: filter)
    }
}

extension RecordingName {
    private static let searchPrefix = "movielist+"

    /// "director=…+made=2019-2020+opened=2021-2021+page=1+size=100+title=…": absent criteria are omitted.
    private static func text(_ search: FilmSearch) -> String {
        let parts = [
            ("director", search.director), ("made", search.productionYears.map(FilmSearch.text)),
            ("opened", search.openingYears.map(FilmSearch.text)), ("page", search.page.description),
            ("size", search.pageSize.description),
            ("title", search.title),
        ]
        return parts.compactMap { name, value in
            value.map { "\(name)=\($0.nfc.escapedForFileName.replacing("+", with: "%2B"))" }
        }.joined(separator: "+")
    }

    private static func search(_ text: Substring) throws(Malformed) -> FilmSearch {
        var search = FilmSearch()
        for part in text.split(separator: "+") {
            let words = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            let value = PercentCoding.decoded(words.last ?? "") ?? ""
            switch words.first {
            case "director": search.director = value
            case "title": search.title = value
            case "made": search.productionYears = years(value)
            case "opened": search.openingYears = years(value)
            case "page": search.page = Int(value).flatMap(PageNumber.init) ?? search.page
            case "size": search.pageSize = Int(value).flatMap(PageSize.init) ?? search.pageSize
            default: break
            }
            guard "+\(Self.text(search))+".contains("+\(part)+") else {
                throw Malformed(description: "its name has a part that cannot be read: \(part)")
            }
        }
        return search
    }

    private static func years(_ text: String) -> ClosedRange<Year>? {
        let years = text.split(separator: "-").compactMap { Int($0).flatMap(Year.init) }
        guard years.count == 2, years[0] <= years[1] else { return nil }
        return years[0]...years[1]
    }
}

extension String {
    /// Only the characters that a file name forbids are encoded, so that the name stays readable.
    fileprivate var escapedForFileName: String {
        unicodeScalars.reduce(into: "") { name, scalar in
            if scalar.value < 0x20 || scalar.value == 0x7F || "/%".unicodeScalars.contains(scalar) {
                name += String(scalar).percentEncoded
            } else {
                name.unicodeScalars.append(scalar)
            }
        }
    }
}
