public import Assembly
public import Domain
public import Envelope

/// A film with the known parts of an answer, as one record of CSV, TSV, NDJSON or of selected fields.
public struct FilmRecord: Sendable {
    /// A row of a chart and the chart's first day; copies of a record share it.
    public final class Row: Sendable {
        public let day: Day
        public let entry: ChartEntry

        init(day: Day, entry: ChartEntry) {
            (self.day, self.entry) = (day, entry)
        }
    }

    /// Nil for a film that was requested directly.
    public var row: Row?
    public var code: String?
    public var detail: (status: PartOutcome.Status, film: FilmDetail?)?
    public var poster: (status: PartOutcome.Status, poster: Poster?)?
    /// The film in a result of the catalogue search.
    public var summary: FilmSummary?
    /// As a stored detail has it; nil outside a range of charts.
    public var titleEnglish: String?
    /// Of its chart; nil outside a range of charts.
    public var state: ChartState?
    /// What its row says beside the figures of the day; nil outside a film's run.
    public var run: FilmRun.DayFigures?
    /// The least genuine source of its parts; nil without a value.
    public private(set) var source: DataSource?

    /// - Parameter source: of the chart with the row.
    public init(day: Day, entry: ChartEntry, source: DataSource?) {
        row = Row(day: day, entry: entry)
        code = entry.code
        self.source = source
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
