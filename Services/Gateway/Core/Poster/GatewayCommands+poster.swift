import Assembly
import Contracts
import Domain
import Envelope
import Localization
import ProcessKit
import Records
import TerminalText
import Wording

extension GatewayCommands {
    /// - Parameters:
    ///   - day: the day of the chart that a rank refers to.
    ///   - painter: paints the image above the text; nil for the link alone.
    func poster(of film: FilmReference, on day: Day, painter: ImagePainter? = nil) async throws -> Answer {
        try presentation.check(FilmRecord.posterFields)
        switch try await resolve(film, on: day) {
        case .several(let candidates): return try presentation.candidates(candidates, for: film, on: day)
        case .one(let film):
            let (title, poster) = try await poster(of: film)
            let picture = try await picture(of: poster, title: title, by: painter)
            return try presentation.poster(poster, of: film, picture: picture)
        }
    }

    /// A poster, and the film's title as far as it is known.
    func poster(of film: FoundFilm) async throws -> (title: String, poster: PartOutcome) {
        switch film {
        case .code(let code): try await query.poster(code: code)
        case .title(let title): (title, try await query.poster(title: title))
        }
    }

    /// Resolves a rank to a film; a title is passed to the image search unchanged.
    func resolve(_ film: FilmReference, on day: Day) async throws -> Lookup {
        switch film {
        case .code(let code): return .one(.code(code))
        case .title(let title): return .one(.title(title))
        case .rank:
            let candidates = try await query.candidates(for: film, on: day)
            guard let only = candidates.only else { return .several(candidates) }
            return .one(.code(only.code))
        }
    }

    enum Lookup {
        case one(FoundFilm)
        case several(FilmCandidates)
    }
}

extension Presentation {
    /// What is not genuine about an answer without a heading, as the end of a line; empty for genuine data.
    func sourceNote(_ source: DataSource?) -> String { source?.label.map { " · \($0(language))" } ?? "" }

    /// - Parameter picture: the image encoded for the terminal, printed above the text.
    func poster(_ outcome: PartOutcome, of film: FoundFilm, picture: [UInt8]? = nil) throws -> Answer {
        var answer = try single(
            outcome, kind: "poster", asked: film.asked,
            records: { outcome in
                var record = FilmRecord(code: film.code)
                try record.take(poster: outcome)
                return ([record], FilmRecord.posterFields)
            }
        ) { value in
            let poster = try JSONBytes.decode(Poster.self, from: value)
            let site = FilmWording(language: language).site(poster.site)
            return wrapped([
                poster.imageURL.printable + FilmWording(language: language).certainty(poster.confidence),
                "\(poster.width) × \(poster.height) · \(site) · \(poster.pageURL)".printable
                    + sourceNote(outcome.source),
            ]) + filmText.note(outcome, filmText.parts.name(.poster))
        }
        if let picture {
            let end = picture.last == UInt8(ascii: "\n") ? [] : [UInt8(ascii: "\n")]
            answer.output.insert(contentsOf: picture + end, at: 0)
        }
        return answer
    }
}
