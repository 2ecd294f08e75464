internal import Contracts
public import Domain
public import Envelope

/// The films of a director or an actor, as far as they are known.
public struct PersonFilms: Sendable {
    /// The latest first.
    public let films: [PersonFilm]
    /// The number of films whose details are archived: only those tell actors.
    public let details: Int
    public let source: DataSource?
    /// Why KOBIS's catalogue or the archive did not answer.
    public let failures: [Failure]
    /// Whether there are more films than were looked at.
    public let isCut: Bool

    public var isComplete: Bool { failures.isEmpty && !isCut }
}

extension Query {
    /// Of a hundred films each.
    private static let mostPages = 5

    /// The films of a person: of a director in KOBIS's catalogue and in the archived details, of an actor in these alone.
    public func films(of name: String) async throws -> PersonFilms {
        var (archived, failures): (ArchivePersonReply?, [Failure]) = (nil, [])
        do {
            archived = try await archivedFilms(of: name)
        } catch let failure as Failure where failure.code != .brokerLost {
            failures.append(failure)
        }
        let wanted = TitleKey(name)
        var (directed, source, isCut): ([FilmSummary], DataSource?, Bool) = ([], nil, false)
        // The catalogue finds parts of names as well: a page may have no film of the person.
        for number in 1...Self.mostPages {
            let outcome = try await search(FilmSearch(director: name, page: PageNumber(clamping: number)))
            guard let value = outcome.value else {
                if let failure = outcome.failure { failures.insert(failure, at: 0) }
                break
            }
            let page = try JSONBytes.decode(FilmPage.self, from: value)
            directed += page.films.filter { film in
                film.directors.contains { person in
                    [person.name, person.nameEnglish].compactMap(\.self).map(TitleKey.init).contains(wanted)
                }
            }
            source = [source, outcome.source].compactMap(\.self).min()
            isCut = page.total.value > number * FilmSearch(director: name).pageSize.value
            guard isCut else { break }
        }
        var films: [String: PersonFilm] = [:]
        for film in archived?.films ?? [] { films[film.code] = film }
        for film in directed where films[film.code]?.isDirector != true {
            films[film.code] = PersonFilm(directed: film, isActor: films[film.code]?.isActor ?? false)
        }
        let sources = [
            directed.isEmpty ? nil : source, archived?.films.isEmpty == false ? archived?.source : nil,
        ]
        return PersonFilms(
            films: films.values.sorted { ($0.opening ?? "", $0.code) > ($1.opening ?? "", $1.code) },
            details: archived?.details ?? 0, source: sources.compactMap(\.self).min(),
            failures: failures,
            isCut: isCut || (archived.map { $0.total > $0.films.count } ?? false))
    }
}
