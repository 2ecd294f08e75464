public import BoxOffice
internal import Contracts
public import Envelope

extension Query {
    /// Days before today whose stored charts are looked through for a title.
    private static let titleDays = 60
    /// What of a film's days is looked at: some before it opened, for previews, and some of its run.
    private static let runDays = -7...90

    /// The films that a person may mean: one, none or several.
    ///
    /// A film whose title is just what was given goes before those that hold it, and a film of a chart before others.
    ///
    /// - Parameter day: whose chart ranks are of; titles are looked for in it and in what is stored of the days before,
    ///   and in the catalogue unless a film there is called just that.
    public func candidates(for film: FilmReference, on day: Day) async throws -> [FilmCandidate] {
        switch film {
        case .code: return []
        case .rank(let rank):
            let chart = try await wholeChart(of: day)
            return chart.entries.filter { $0.rank == rank }.map(FilmCandidate.init)
        case .title(let title):
            let past = try await storedCharts((1..<Self.titleDays).map { day.advanced(by: -$0) }).charts
            let (latest, failure) = try await chartIfAny(of: day)
            let charted = (latest + past).flatMap(\.entries).map(FilmCandidate.init)
            let titled = FilmCandidate.titled(title, among: charted)
            guard titled.isEmpty else { return titled }
            let containing = FilmCandidate.containing(title, among: charted)
            // A film that may be meant is not to wait for a catalogue that does not answer until there is no time left.
            let catalogue = try await catalogue(title, deadline: containing.isEmpty ? nil : halfTime)
            let catalogued = FilmCandidate.titled(title, among: catalogue.films)
            guard catalogued.isEmpty else { return catalogued }
            let found = containing.isEmpty ? FilmCandidate.containing(title, among: catalogue.films) : containing
            // Nobody can say that there is no such film while a chart or the catalogue is missing.
            if found.isEmpty, let failure = catalogue.failure ?? failure { throw failure }
            return found
        }
    }

    /// What the first page of the catalogue has for a title; its failure leaves what the charts have.
    private func catalogue(
        _ title: String, deadline: ContinuousClock.Instant?
    ) async throws -> (films: [FilmCandidate], failure: Failure?) {
        let outcome = try await search(FilmSearch(title: title), deadline: deadline)
        guard let value = outcome.value else {
            return ([], outcome.failure ?? Failure.malformedEnvelope("a search without a value"))
        }
        do {
            return (try JSONBytes.decode(FilmPage.self, from: value).films.map(FilmCandidate.init), nil)
        } catch let error as DecodingError {
            return ([], .malformedPayload(error))
        }
    }

    /// What follows for a film from the daily charts that are stored; nobody is asked for others.
    ///
    /// - Returns: nil also when the cache does not say, since the film's detail is the answer.
    public func run(of code: String, openedOn opening: Day?, until day: Day) async throws -> FilmRun? {
        let around = opening.map { opening in Self.runDays.map { opening.advanced(by: $0) } } ?? []
        let recent = (0...30).map { day.advanced(by: -$0) }
        let days = Set(around + recent).filter { $0 <= day && $0 >= Day.firstChart }.sorted()
        do {
            let (charts, failure) = try await storedCharts(days)
            // A run over some of the days would look like the whole of it.
            return failure == nil ? FilmRun(of: code, in: charts) : nil
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

    /// The daily charts of these days as far as they are stored, in that order; and why the cache did not answer for the
    /// others, if it did not.
    public func storedCharts(_ days: [Day]) async throws -> (charts: [Chart], failure: Failure?) {
        let keys = days.map { ChartRequest(.daily($0), isRefresh: false).cacheKey }
        let cached = try await peek(keys)
        // An entry of another release may not be readable.
        let charts = keys.compactMap { key in
            cached[key]?.value.flatMap { try? JSONBytes.decode(Chart.self, from: $0) }
        }
        return (charts, cached.failure)
    }
}
