public import Domain
public import Envelope

/// Asks for the archived films whose titles have a text in Korean or English; the reply's payload is an
/// `ArchiveTitlesReply`.
public struct ArchiveTitlesRequest: Codable, Sendable, Equatable {
    public static let kind = "archive.titles"
    public static let maxFilms = 100

    /// Compared as `TitleKey`s.
    public let text: String

    public init(_ text: String) {
        self.text = text
    }

    public init(from decoder: any Decoder) throws {
        text = try decoder.text(CodingKeys.text)
    }
}

public struct ArchiveTitlesReply: Codable, Sendable, Equatable {
    public struct Film: Codable, Sendable, Equatable {
        public let code: String
        public let title: String
        public let titleEnglish: String?
        public let openingDay: Day?

        public init(code: String, title: String, titleEnglish: String?, openingDay: Day?) {
            self.code = code
            self.title = title
            self.titleEnglish = titleEnglish
            self.openingDay = openingDay
        }
    }

    /// Those with exactly this title; without one those whose title contains it. At most `maxFilms`.
    public let films: [Film]
    /// Whether `films` have exactly this title.
    public let isExact: Bool
    /// The number of films that match.
    public let total: Int
    public let source: DataSource

    public init(films: [Film], isExact: Bool, total: Int, source: DataSource) {
        self.films = films
        self.isExact = isExact
        self.total = total
        self.source = source
    }
}

/// Asks for the archived films of a director or an actor; the reply's payload is an `ArchivePersonReply`.
public struct ArchivePersonRequest: Codable, Sendable, Equatable {
    public static let kind = "archive.person"
    public static let maxFilms = 300

    /// The whole name, in Korean or English.
    public let name: String

    public init(_ name: String) {
        self.name = name
    }

    public init(from decoder: any Decoder) throws {
        name = try decoder.text(CodingKeys.name)
    }
}

public struct ArchivePersonReply: Codable, Sendable, Equatable {
    /// The latest first, at most `maxFilms`.
    public let films: [PersonFilm]
    public let total: Int
    /// The number of films whose details are archived.
    public let details: Int
    public let source: DataSource

    public init(films: [PersonFilm], total: Int, details: Int, source: DataSource) {
        self.films = films
        self.total = total
        self.details = details
        self.source = source
    }
}

extension Decoder {
    /// A text of a user, no longer than a title.
    fileprivate func text<Key: CodingKey>(_ key: Key) throws -> String {
        let container = try container(keyedBy: Key.self)
        let text = try container.decode(String.self, forKey: key)
        guard text.utf8.count <= FilmSearch.maxTextBytes else {
            throw DecodingError.dataCorruptedError(
                forKey: key, in: container, debugDescription: "it has more than \(FilmSearch.maxTextBytes) bytes")
        }
        return text
    }
}
