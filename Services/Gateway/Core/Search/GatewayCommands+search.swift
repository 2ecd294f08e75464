import Assembly
public import BoxOffice

extension GatewayCommands {
    /// A page of the films in KOBIS's catalogue that fit.
    public func search(_ search: FilmSearch) async throws -> Answer {
        try presentation.check(FilmRecord.searchFields)
        return try presentation.search(await query.search(search), search)
    }
}
