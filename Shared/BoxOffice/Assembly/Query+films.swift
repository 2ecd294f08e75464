internal import Contracts
public import Domain
public import Envelope

extension Query {
    /// The number of days before today whose stored charts are searched for a title.
    private static let titleDays = 60
    /// The longest wait for the titles of the archive.
    private static let archiveTime: Duration = .seconds(1)
    /// The number of words that are searched in the catalogue one after the other.
    private static let mostWords = 4

    /// The films that match: one, none or several.
    ///
    /// A film with exactly this title precedes films whose titles contain it, and a film of a chart precedes others.
    ///
    /// - Parameter day: the day of the chart that a rank refers to; titles are searched in it, in the stored charts of
    ///   the days before, in the archive, and in the catalogue unless a film there has exactly this title.
    public func candidates(for film: FilmReference, on day: Day) async throws -> FilmCandidates {
        switch film {
        case .code: return FilmCandidates([])
        case .rank(let rank):
            return FilmCandidates(try await charted(on: day).filter { $0.entry.rank == rank }.map(\.film))
        case .title(let title):
            let past = try await storedCharts((1..<Self.titleDays).map { day.advanced(by: -$0) })
            let (latest, failure) = try await filmsIfAny(on: day)
            let charted = latest + past.charts.flatMap(\.entries).map { FilmCandidate($0, from: past.source) }
            let titled = FilmCandidate.titled(title, among: charted)
            guard titled.isEmpty else { return FilmCandidates(titled) }
            let archived = try await archivedCandidates(title)
            guard !archived.isExact else { return FilmCandidates(archived.films, total: archived.total) }
            let known = FilmCandidate.containing(title, among: charted)
            let containing = known.isEmpty ? archived.films : known
            // A film that matches must not wait until the deadline for a catalogue that does not answer.
            let catalogue = try await catalogue(title, deadline: containing.isEmpty ? nil : halfTime)
            let catalogued = FilmCandidate.titled(title, among: catalogue.films)
            guard catalogued.isEmpty else { return FilmCandidates(catalogued) }
            // The archive does not list all that it has found.
            let total = known.isEmpty ? archived.total : known.count
            guard containing.isEmpty else { return FilmCandidates(containing, total: total) }
            let matches = FilmCandidate.containing(title, among: catalogue.films)
            // While a chart or the catalogue is missing, an empty result does not prove that there is no such film.
            if matches.isEmpty, let failure = catalogue.failure ?? failure ?? archived.failure { throw failure }
            // The films on the further pages match, too.
            return FilmCandidates(matches, total: catalogue.total - (catalogue.films.count - matches.count))
        }
    }

    /// The archived films with this title in Korean or English; its failure leaves the other places to look.
    private func archivedCandidates(
        _ title: String
    ) async throws -> (films: [FilmCandidate], isExact: Bool, total: Int, failure: Failure?) {
        do {
            let reply = try await limited(to: Self.archiveTime).archivedFilms(titled: title)
            let total = max(reply.films.count, reply.total)
            return (reply.films.map { FilmCandidate($0, from: reply.source) }, reply.isExact, total, nil)
        } catch let failure as Failure where failure.code != .brokerLost {
            // A stack may have no archive.
            return ([], false, 0, failure.code == .unavailable ? nil : failure)
        }
    }

    /// The matches in the catalogue, which finds a title only as KOBIS writes it: without a match, parts of it are searched.
    private func catalogue(
        _ title: String, deadline: ContinuousClock.Instant?
    ) async throws -> (films: [FilmCandidate], total: Int, failure: Failure?) {
        var found = try await cataloguePage(title, deadline: deadline)
        guard found.failure == nil, FilmCandidate.containing(title, among: found.films).isEmpty else { return found }
        for word in Self.words(title).prefix(Self.mostWords) {
            let page = try await cataloguePage(word, deadline: deadline)
            let matches = FilmCandidate.containing(title, among: page.films)
            if !matches.isEmpty { return (matches, matches.count, nil) }
            found.failure = found.failure ?? page.failure
        }
        return found
    }

    /// What a search for another spelling tries: the parts of a title between punctuation, then its words, the longest
    /// first.
    private static func words(_ title: String) -> [String] {
        func isLetter(_ character: Character) -> Bool { character.isLetter && !character.isNumber }
        let parts = title.nfc.split { !isLetter($0) && $0 != " " }.map { part in
            part.split(separator: " ").joined(separator: " ")
        }
        let words = title.nfc.split { !isLetter($0) }.map(String.init)
        var seen: Set = [title]
        return [parts, words].flatMap { $0.sorted { $0.count > $1.count } }
            .filter { $0.count > 1 && seen.insert($0).inserted }
    }

    /// The first page of a search in the catalogue; its failure leaves the matches of the charts.
    private func cataloguePage(
        _ title: String, deadline: ContinuousClock.Instant?
    ) async throws -> (films: [FilmCandidate], total: Int, failure: Failure?) {
        let outcome = try await search(FilmSearch(title: title), deadline: deadline)
        guard let value = outcome.value else {
            return ([], 0, outcome.failure ?? Failure.malformedEnvelope("a search without a value"))
        }
        do {
            let page = try JSONBytes.decode(FilmPage.self, from: value)
            let source = outcome.source ?? .upstream
            return (page.films.map { FilmCandidate($0, from: source) }, page.total.value, nil)
        } catch let error as DecodingError {
            return ([], 0, .malformedPayload(error))
        }
    }

    /// The English titles of a chart's films whose details are stored, by film code; nothing is fetched.
    ///
    /// - Returns: none also when the cache does not answer, since the chart is the main part.
    public func storedEnglishTitles(of chart: PartOutcome) async throws -> [String: String] {
        // A chart that does not decode is reported by the caller, which shows it.
        guard let value = chart.value, let films = try? JSONBytes.decode(Chart.self, from: value).entries else {
            return [:]
        }
        return try await storedEnglishTitles(of: films.map(\.code))
    }

    /// The English titles of films whose details are stored, by code; none also when the cache does not answer.
    public func storedEnglishTitles(of codes: [String]) async throws -> [String: String] {
        try await englishTitles(of: codes).known
    }

    /// The same, and the number of films whose details are not stored; 0 when the cache does not answer.
    public func englishTitles(of codes: [String]) async throws -> (known: [String: String], notStored: Int) {
        let keys = codes.map { DetailRequest(code: $0, isRefresh: false).cacheKey }
        do {
            let stored = try await peek(keys)
            guard stored.failure == nil else { return ([:], 0) }
            return zip(codes, keys).reduce(into: ([:], 0)) { titles, film in
                // An entry of another release may be unreadable: it counts as not stored.
                let detail = stored[film.1]?.value.flatMap { try? JSONBytes.decode(FilmBrief.self, from: $0) }
                titles.known[film.0] = detail?.titleEnglish
                if detail == nil { titles.notStored += 1 }
            }
        } catch is Failure {
            return ([:], 0)
        }
    }

    /// Without the chart, the catalogue is still searched; the chart's failure is reported when that finds nothing.
    private func filmsIfAny(on day: Day) async throws -> (films: [FilmCandidate], failure: Failure?) {
        do {
            return (try await charted(on: day).map(\.film), nil)
        } catch let failure as Failure where failure.code != .brokerLost {
            return ([], failure)
        }
    }

    private func charted(on day: Day) async throws -> [(entry: ChartEntry, film: FilmCandidate)] {
        let outcome = try await chart(.daily(day))
        guard let value = outcome.value else {
            throw outcome.failure ?? Failure.malformedEnvelope("a chart without a value")
        }
        let source = outcome.source ?? .upstream
        return try JSONBytes.decode(Chart.self, from: value).entries.map { ($0, FilmCandidate($0, from: source)) }
    }

    /// The days whose daily charts are stored; none when the cache does not answer.
    public func storedDays(of days: ClosedRange<Day>) async throws -> Set<Day> {
        let keys = days.map { (day: $0, key: ChartRequest(.daily($0), isRefresh: false).cacheKey) }
        do {
            let cached = try await peek(keys.map(\.key))
            return Set(keys.filter { cached[$0.key]?.value != nil }.map(\.day))
        } catch is Failure {
            return []
        }
    }

    /// The stored daily charts of these days, in that order, and their least genuine source; and why the cache did not
    /// answer for the other days, if it did not.
    public func storedCharts(
        _ days: [Day]
    ) async throws -> (charts: [Chart], source: DataSource, failure: Failure?) {
        let keys = days.map { ChartRequest(.daily($0), isRefresh: false).cacheKey }
        let cached = try await peek(keys)
        let stored = keys.compactMap { cached[$0] }
        let charts = stored.compactMap { part in
            // An entry of another release may be unreadable: it counts as not stored.
            part.value.flatMap { try? JSONBytes.decode(Chart.self, from: $0) }
        }
        return (charts, stored.map(\.entry.source).min() ?? .upstream, cached.failure)
    }
}
