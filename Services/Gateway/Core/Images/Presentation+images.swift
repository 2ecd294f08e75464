import Assembly
import BoxOffice
import Contracts
import Envelope
import Localization
import ProcessKit
import TerminalText
import Wording

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
