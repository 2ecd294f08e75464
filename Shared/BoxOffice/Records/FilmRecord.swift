public import Assembly
internal import Contracts
public import Domain
public import Envelope

/// A film with the known parts of an answer, as one record of CSV, TSV, NDJSON or of selected fields.
public struct FilmRecord: Sendable {
    /// A row of a chart; copies of a record share it.
    public final class Row: Sendable {
        public let chart: ChartSelection
        public let entry: ChartEntry
        /// The first day of the chart.
        public var day: Day { chart.days.lowerBound }

        init(chart: ChartSelection, entry: ChartEntry) {
            (self.chart, self.entry) = (chart, entry)
        }
    }

    /// Nil for a film that was requested directly.
    public var row: Row?
    public var code: String?
    public var detail: (status: PartOutcome.Status, film: FilmDetail?)?
    public var poster: (status: PartOutcome.Status, poster: Poster?)?
    /// The film in a result of the catalogue search.
    public var summary: FilmSummary?
    /// As a stored detail has it; nil beside the detail itself.
    public var titleEnglish: String?
    /// Of its chart; nil beside details and posters.
    public var state: ChartState?
    /// What its row says beside the figures of the day; nil outside a film's run.
    public var run: FilmRun.DayFigures?
    /// The least genuine source of its parts; nil without a value.
    public private(set) var source: DataSource?

    /// - Parameter source: of the chart with the row.
    public init(_ chart: ChartSelection, entry: ChartEntry, source: DataSource?) {
        row = Row(chart: chart, entry: entry)
        code = entry.code
        self.source = source
    }

    /// The rows of a chart as it was answered.
    ///
    /// - Parameters:
    ///   - titles: English ones, by film code.
    ///   - now: Unix time in seconds.
    public static func rows(
        of chart: ChartSelection, _ entries: [ChartEntry], _ outcome: PartOutcome, _ titles: [String: String],
        now: Double
    ) -> [FilmRecord] {
        let isProvisional = FreshnessPolicy().wasProvisional(chart, age: outcome.cache?.age, now: now)
        return entries.map { entry in
            var record = FilmRecord(chart, entry: entry, source: outcome.source)
            record.state = isProvisional ? .provisional : .settled
            record.titleEnglish = titles[entry.code]
            return record
        }
    }

    public init(code: String?) {
        self.code = code
    }

    /// - Parameter page: the part with the summary.
    public init(_ summary: FilmSummary, of page: PartOutcome) {
        self.summary = summary
        source = page.source
        code = summary.code
    }

    /// A part that has not arrived counts as a timeout.
    public mutating func take(detail outcome: PartOutcome?) throws {
        let film = try outcome?.value.map { try JSONBytes.decode(FilmDetail.self, from: $0) }
        detail = (outcome?.status ?? .timeout, film)
        source = [source, outcome?.source].compactMap(\.self).min()
    }

    public mutating func take(poster outcome: PartOutcome?) throws {
        let poster = try outcome?.value.map { try JSONBytes.decode(Poster.self, from: $0) }
        self.poster = (outcome?.status ?? .timeout, poster)
        source = [source, outcome?.source].compactMap(\.self).min()
    }
}
