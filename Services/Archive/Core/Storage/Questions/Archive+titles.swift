public import Contracts
import Domain
import Envelope
import GRDB

extension Archive {
    /// The films whose titles match in Korean or English, those with exactly this title if there are any; the one with the
    /// latest opening day first.
    public func films(_ world: DataWorld, titled text: String) async throws -> ArchiveTitlesReply {
        let wanted = TitleKey(text)
        return try await read { db in
            let rows = try Row.fetchCursor(
                db.cachedStatement(
                    sql: """
                        SELECT title.code, title.title, NULL, title.openingDay FROM title
                        WHERE EXISTS (
                            SELECT 1 FROM entry JOIN chart USING (edition) WHERE entry.title = title.id AND source IN (?, ?))
                        UNION ALL
                        SELECT code, title, titleEnglish, openingDay FROM film WHERE source IN (?, ?)
                        """),
                arguments: world.arguments + world.arguments)
            var films: [String: (film: ArchiveTitlesReply.Film, isExact: Bool)] = [:]
            while let row = try rows.next(), !wanted.isEmpty {
                let film = ArchiveTitlesReply.Film(
                    code: row[0], title: row[1], titleEnglish: row[2],
                    openingDay: (row[3] as String?).flatMap(Day.init(iso:)))
                let keys = [film.title, film.titleEnglish].compactMap(\.self).map(TitleKey.init)
                guard keys.contains(where: wanted.isPart) else { continue }
                let isExact = keys.contains(wanted) || films[film.code]?.isExact == true
                films[film.code] = (film, isExact)
            }
            let exact = films.values.filter(\.isExact)
            let matching = (exact.isEmpty ? Array(films.values) : exact).map(\.film)
            let sorted = matching.sorted {
                ($0.openingDay ?? .firstChart, $1.code) > ($1.openingDay ?? .firstChart, $0.code)
            }
            return ArchiveTitlesReply(
                films: Array(sorted.prefix(ArchiveTitlesRequest.maxFilms)), isExact: !exact.isEmpty,
                total: matching.count, source: world.sources.1)
        }
    }

    /// The films with a director or an actor of this name, the latest first.
    public func films(_ world: DataWorld, of name: String) async throws -> ArchivePersonReply {
        let wanted = TitleKey(name)
        return try await read { db in
            let rows = try Row.fetchCursor(
                db.cachedStatement(
                    sql: """
                        SELECT code, title, titleEnglish, openingDay, openingText, productionYear, directors, actors
                        FROM film WHERE source IN (?, ?) ORDER BY code, source
                        """),
                arguments: world.arguments)
            var (films, details): ([PersonFilm], Set<String>) = ([], [])
            while let row = try rows.next() {
                guard details.insert(row[0]).inserted else { continue }
                let isDirector = try Self.names(row[6]).contains(wanted)
                let isActor = try Self.names(row[7]).contains(wanted)
                guard isDirector || isActor else { continue }
                films.append(
                    PersonFilm(
                        code: row[0], title: row[1], titleEnglish: row[2],
                        opening: row[3] as String? ?? row[4] as String?, productionYear: row[5],
                        isDirector: isDirector, isActor: isActor))
            }
            let sorted = films.sorted { ($0.opening ?? "", $0.code) > ($1.opening ?? "", $1.code) }
            return ArchivePersonReply(
                films: Array(sorted.prefix(ArchivePersonRequest.maxFilms)), total: films.count, details: details.count,
                source: world.sources.1)
        }
    }

    private static func names(_ json: String) throws -> [TitleKey] {
        try JSONBytes.decode([Person].self, from: Array(json.utf8)).flatMap { person in
            [person.name, person.nameEnglish].compactMap(\.self).map(TitleKey.init)
        }
    }
}
