import BoxOffice
import Contracts
import Envelope
import ServiceKit

extension Query {
    /// Days before today whose stored charts are looked through for a title.
    private static let titleDays = 60
    /// What of a film's days is looked at: some before it opened, for previews, and some of its run.
    private static let runDays = -7...90

    /// The films that a person may mean: one, none or several.
    ///
    /// - Parameter day: whose chart ranks are of; titles are looked for in it, in what is stored of the days before, and
    ///   for want of those in the catalogue.
    func candidates(for film: FilmReference, on day: Day) async throws -> [FilmCandidate] {
        switch film {
        case .code: return []
        case .rank(let rank):
            let chart = try await wholeChart(of: day)
            return chart.entries.filter { $0.rank == rank }.map(FilmCandidate.init)
        case .title(let title):
            let past = try await storedCharts((1..<Self.titleDays).map { day.advanced(by: -$0) })
            let (latest, failure) = try await chartIfAny(of: day)
            let known = FilmCandidate.matches(title, among: (latest + past).flatMap(\.entries).map(FilmCandidate.init))
            guard known.isEmpty else { return known }
            let catalogued = try await catalogued(title)
            // Nobody can say that there is no such film while a chart is missing.
            if catalogued.isEmpty, let failure { throw failure }
            return catalogued
        }
    }

    /// The films of the catalogue that a title may mean.
    private func catalogued(_ title: String) async throws -> [FilmCandidate] {
        let outcome = try await search(FilmSearch(title: title))
        guard let value = outcome.value else {
            throw outcome.failure ?? Failure.malformedEnvelope("a search without a value")
        }
        let films = try JSONBytes.decode(FilmPage.self, from: value).films.map(FilmCandidate.init)
        return FilmCandidate.matches(title, among: films)
    }

    /// What follows for a film from the daily charts that are stored; nobody is asked for others.
    ///
    /// - Returns: nil also when the cache does not say, since the film's detail is the answer.
    func run(of code: String, openedOn opening: Day?, until day: Day) async throws -> FilmRun? {
        let around = opening.map { opening in Self.runDays.map { opening.advanced(by: $0) } } ?? []
        let recent = (0...30).map { day.advanced(by: -$0) }
        let days = Set(around + recent).filter { $0 <= day && $0 >= Day.firstChart }.sorted()
        do {
            return FilmRun(of: code, in: try await storedCharts(days))
        } catch is Failure {
            return nil
        }
    }

    /// A chart that cannot be had leaves the catalogue; its failure is told when that has nothing either.
    private func chartIfAny(of day: Day) async throws -> (charts: [Chart], failure: Failure?) {
        do {
            return ([try await wholeChart(of: day)], nil)
        } catch let failure as Failure where failure.code != .brokerLost {
            return ([], failure)
        }
    }

    private func wholeChart(of day: Day) async throws -> Chart {
        let outcome = try await chart(.daily(day))
        guard let value = outcome.value else {
            throw outcome.failure ?? Failure.malformedEnvelope("a chart without a value")
        }
        return try JSONBytes.decode(Chart.self, from: value)
    }

    /// The daily charts of these days as far as they are stored, in that order.
    func storedCharts(_ days: [Day]) async throws -> [Chart] {
        let keys = days.map { ChartRequest(.daily($0), isRefresh: false).cacheKey }
        let found = try await look(keys)
        // What an earlier release has stored may not be readable any more.
        return keys.compactMap { key in
            found[key]?.value.flatMap { try? JSONBytes.decode(Chart.self, from: $0) }
        }
    }
}
