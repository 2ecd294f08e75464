public import Assembly
public import BoxOffice
import Contracts
import Envelope
import Localization
import ProcessKit
import TerminalText
import Wording

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

extension Presentation {
    /// - Parameters:
    ///   - image: nil when there was no poster whose image could be asked for.
    ///   - path: the file that it was written to; nil when it was not.
    func saved(_ image: PartOutcome?, of poster: PartOutcome, film: FoundFilm, path: String?) throws -> Answer {
        let failure = path == nil ? image?.failure ?? poster.failure : nil
        let (notes, exitStatus) = ending(failure, isComplete: [image, poster].allSatisfy { $0?.status == .ok })
        if isJSON {
            let json = try AnswerJSON.saved(image, of: poster, asked: film.asked, path: path)
            return Answer(output: json, notes: notes, exitStatus: exitStatus)
        }
        guard let path, let image else { return Answer(notes: notes, exitStatus: exitStatus) }
        let text = FilmText(language: language)
        let found = try JSONBytes.decode(PosterImage.self, from: image.value ?? [])
        let certainty = text.wording.certainty(
            try JSONBytes.decode(PosterBrief.self, from: poster.value ?? []).confidence)
        let site = text.wording.site(found.site)
        return Answer(
            lines: [
                language("저장했습니다: ", "Saved: ") + path.printable + certainty,
                "\(found.width) × \(found.height) · \(found.mediaType) · \(site) · \(found.pageURL ?? "")".printable,
            ] + [text.wording.substitution(found)].compactMap(\.self) + text.note(poster, language("포스터", "poster"))
                + text.note(image, language("이미지", "image")), notes: notes, exitStatus: exitStatus)
    }
}
