import Assembly
import BoxOffice
import Envelope

/// A film with what an answer knows of it, as one record of CSV, TSV, NDJSON or of chosen fields.
struct FilmRecord: Sendable {
    /// Its row and the first day of its chart; nil for a film that was asked for by itself.
    var row: (day: Day, entry: ChartEntry)?
    var code: String?
    var detail: (status: PartOutcome.Status, film: FilmDetail?)?
    var poster: (status: PartOutcome.Status, poster: Poster?)?
    /// As the catalogue's search shows it.
    var summary: FilmSummary?

    init(day: Day, entry: ChartEntry) {
        row = (day, entry)
        code = entry.code
    }

    init(code: String?) {
        self.code = code
    }

    init(_ summary: FilmSummary) {
        self.summary = summary
        code = summary.code
    }

    /// A part that has not arrived counts as too late.
    mutating func take(detail outcome: PartOutcome?) throws {
        let film = try outcome?.value.map { try JSONBytes.decode(FilmDetail.self, from: $0) }
        detail = (outcome?.status ?? .timeout, film)
    }

    mutating func take(poster outcome: PartOutcome?) throws {
        let poster = try outcome?.value.map { try JSONBytes.decode(Poster.self, from: $0) }
        self.poster = (outcome?.status ?? .timeout, poster)
    }
}
