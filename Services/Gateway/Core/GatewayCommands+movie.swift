public import Assembly
public import BoxOffice
import Contracts
import Envelope

extension GatewayCommands {
    /// A film's detail, and what follows from the stored charts; the candidates when several may be meant.
    ///
    /// - Parameter day: whose chart ranks are of; the last day of what follows.
    public func movie(_ film: FilmReference, on day: Day) async throws -> Answer {
        try presentation.check(FilmRecord.movieFields)
        let code: String
        if case .code(let known) = film {
            code = known
        } else {
            let candidates = try await query.candidates(for: film, on: day)
            guard let only = candidates.first, candidates.count == 1 else {
                return try presentation.candidates(candidates, for: film, on: day)
            }
            code = only.code
        }
        let detail = try await query.movie(code: code)
        let opening = try detail.value.map { try JSONBytes.decode(FilmDetail.self, from: $0).openingDay } ?? nil
        let run = detail.value == nil ? nil : try await query.run(of: code, openedOn: opening, until: day)
        return try presentation.movie(detail, code: code, run: run)
    }
}
