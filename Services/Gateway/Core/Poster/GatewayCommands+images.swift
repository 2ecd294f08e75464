import Assembly
import CommandKit
import Contracts
import Domain
import Envelope
import Localization
import ProcessKit
import TerminalText
import Wording

extension GatewayCommands {
    /// Finds the poster of a film and writes its image to a file, which is replaced atomically, or to stdout.
    ///
    /// - Parameters:
    ///   - day: the day of the chart that a rank refers to.
    ///   - path: "-" for stdout.
    func savePoster(of reference: FilmReference, on day: Day, to path: String) async throws -> Answer {
        if path == "-", presentation.isOnTerminal {
            throw StartupError.usage(
                "터미널에는 이미지를 그대로 쓰지 않습니다. 파일 이름을 쓰거나 다른 프로그램에 넘기세요.",
                "An image is not written to a terminal. Name a file, or pipe it into another program.")
        }
        if path != "-" { try OutputFile(path: path).check() }
        let film: FoundFilm
        switch try await resolve(reference, on: day) {
        case .several(let candidates): return try presentation.candidates(candidates, for: reference, on: day)
        case .one(let only): film = only
        }
        let (title, poster) = try await poster(of: film)
        guard let value = poster.value else {
            return try presentation.savedImage(nil, of: poster, film: film, path: nil)
        }
        let image = try await query.image(of: JSONBytes.decode(Poster.self, from: value), title: title)
        guard image.value != nil else {
            return try presentation.savedImage(image, of: poster, film: film, path: nil)
        }
        guard let bytes = image.attachment else { throw Failure.malformedEnvelope("an image without its bytes") }
        guard path != "-" else {
            // The image alone on stdout; what there is to say about it goes to stderr.
            var answer = try presentation.savedImage(image, of: poster, film: film, path: path)
            answer.notes += String(decoding: answer.output, as: UTF8.self).split(separator: "\n").map(String.init)
            answer.output = bytes
            return answer
        }
        try OutputFile(path: path).write(bytes)
        return try presentation.savedImage(image, of: poster, film: film, path: path)
    }
}

extension GatewayCommands {
    /// A poster's image encoded for the terminal; nil without an image or a program that paints it. The link then shows
    /// where the image is.
    func picture(of poster: PartOutcome, title: String, by painter: ImagePainter?) async throws -> [UInt8]? {
        guard let painter, presentation.format == .text, let value = poster.value else { return nil }
        let limit = min(deadline, .now + GatewayTiming.pictureLimit)
        let image = try await query.image(
            of: JSONBytes.decode(Poster.self, from: value), title: title, deadline: limit)
        guard image.value != nil, let bytes = image.attachment else { return nil }
        return try await painter.paint(bytes)
    }
}

extension Presentation {
    /// - Parameters:
    ///   - image: nil when there was no poster with an image to fetch.
    ///   - path: the file that the image was written to; nil when it was not written.
    func savedImage(_ image: PartOutcome?, of poster: PartOutcome, film: FoundFilm, path: String?) throws -> Answer {
        let failure = path == nil ? image?.failure ?? poster.failure : nil
        let (notes, exitStatus) = ending(failure, isComplete: [image, poster].allSatisfy { $0?.status == .ok })
        if isJSON {
            let json = try AnswerJSON.savedImage(image, of: poster, asked: film.asked, path: path)
            return Answer(output: json, notes: notes, exitStatus: exitStatus)
        }
        guard let path, let image else { return Answer(notes: notes, exitStatus: exitStatus) }
        let text = filmText
        let saved = try JSONBytes.decode(PosterImage.self, from: image.value ?? [])
        let certainty = text.wording.certainty(
            try JSONBytes.decode(PosterBrief.self, from: poster.value ?? []).confidence)
        let site = text.wording.site(saved.site)
        return Answer(
            lines: wrapped([
                language("저장했습니다: ", "Saved: ") + (path == "-" ? "stdout" : path.printable) + certainty,
                "\(saved.width) × \(saved.height) · \(saved.mediaType) · \(site) · \(saved.pageURL ?? "")".printable
                    + sourceNote([image.source, poster.source].compactMap(\.self).min()),
            ]) + wrapped([text.wording.substitution(saved)].compactMap(\.self))
                + text.note(poster, text.parts.name(.poster))
                + text.note(image, language("이미지", "image")),
            notes: notes + [suffixWarning(path, saved)].compactMap(\.self), exitStatus: exitStatus)
    }

    /// A file's suffix that names another type of image than the file holds.
    private func suffixWarning(_ path: String, _ image: PosterImage) -> String? {
        let suffixes = [
            "image/jpeg": ["jpg", "jpeg"], "image/png": ["png"], "image/gif": ["gif"], "image/webp": ["webp"],
            "image/svg+xml": ["svg"],
        ]
        guard let suffix = path.split(separator: "/").last?.split(separator: ".").dropFirst().last?.lowercased(),
            let usual = suffixes[image.mediaType], !usual.contains(suffix),
            suffixes.values.contains(where: { $0.contains(suffix) })
        else { return nil }
        let name = path.printable
        return "\(Installation.gateway): "
            + language(
                "\(name)의 내용은 \(image.mediaType)입니다. 확장자를 .\(usual[0])로 바꾸세요.",
                "\(name) holds \(image.mediaType). Name it with the suffix .\(usual[0]).")
    }
}
