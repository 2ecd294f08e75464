public import Assembly
public import BoxOffice
import Contracts
import Envelope

extension GatewayCommands {
    /// Finds the poster of a film and writes its image to a file, which it replaces as a whole or not at all.
    ///
    /// - Parameter day: whose chart a rank is of.
    public func savePoster(of reference: FilmReference, on day: Day, to path: String) async throws -> Answer {
        try OutputFile(path: path).check()
        let film: FoundFilm
        switch try await found(reference, on: day) {
        case .several(let candidates): return try presentation.candidates(candidates, for: reference, on: day)
        case .one(let only): film = only
        }
        let (title, poster) = try await poster(of: film)
        guard let value = poster.value else {
            return try presentation.saved(nil, of: poster, film: film, path: nil)
        }
        let image = try await query.image(of: JSONBytes.decode(Poster.self, from: value), title: title)
        guard image.value != nil else {
            return try presentation.saved(image, of: poster, film: film, path: nil)
        }
        guard let bytes = image.attachment else { throw Failure.malformedEnvelope("an image without its bytes") }
        try OutputFile(path: path).write(bytes)
        return try presentation.saved(image, of: poster, film: film, path: path)
    }
}

extension GatewayCommands {
    /// How long an image may keep a link from being shown.
    private static let pictureLimit = Duration.seconds(4)

    /// A poster's image as the terminal shows it; nil for want of an image or of a program that knows how: the link says
    /// where it lies.
    func picture(of poster: PartOutcome, title: String, by painter: ImagePainter?) async throws -> [UInt8]? {
        guard let painter, presentation.format == .text, let value = poster.value else { return nil }
        let limit = min(deadline, .now + Self.pictureLimit)
        let image = try await query.image(
            of: JSONBytes.decode(Poster.self, from: value), title: title, deadline: limit)
        guard image.value != nil, let bytes = image.attachment else { return nil }
        return try await painter.paint(bytes)
    }
}
