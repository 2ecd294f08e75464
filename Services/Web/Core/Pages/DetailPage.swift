import Assembly
import Contracts
import Domain
import Envelope
import Localization
import Wording

/// The page of a film: its detail, its poster with the source, and what is known of its run.
struct DetailPage {
    let frame: PageFrame
    let posters: PosterUse
    /// Unix time in seconds.
    let now: Double
    let decoded: DecodedParts

    private var language: Language { frame.language }
    private var wording: FilmWording { FilmWording(language: language) }
    private var parts: PartWording { PartWording(language: language) }

    func values(
        _ film: FilmDetail, at address: PageAddress, detail: PartOutcome, poster: PartOutcome, run: StoredRun?
    ) -> [String: Any] {
        // An unreadable poster has its reason, too.
        let poster = poster.value == nil || decoded.poster(poster) != nil ? poster : .failed(.unreadable)
        let title = wording.title(film.title, english: film.titleEnglish)
        let fields = wording.fields(film)
        var values = frame.values(
            address, title: title,
            description: fields.prefix(5).map { "\($0.label) \($0.text)" }.joined(separator: " · "), hasJSON: true)
        values.merge(frame.title(film.title, english: film.titleEnglish)) { $1 }
        values["code"] = film.code
        values["label"] = [detail.source, poster.source, run?.source].compactMap(\.self).min()?.label?(language)
        values["kobis"] = FilmWording.page(code: film.code)
        values["fields"] = rows(fields)
        values["initial"] = film.title.first.map(String.init) ?? ""
        if let run = run?.run {
            values["hasRun"] = true
            values["runName"] = language("흥행", "Box office")
            values["run"] = rows(RunWording(language: language).fields(run))
        }
        values["moment"] = frame.momentValues(of: detail, now: now)
        addPoster(decoded.poster(poster), code: film.code, title: title, to: &values)
        values["notes"] =
            parts.note(detail, parts.name(.detail), line: line)
            + parts.note(poster, parts.name(.poster), line: line)
        return values
    }

    private func addPoster(_ poster: Poster?, code: String, title: String, to values: inout [String: Any]) {
        guard let poster else { return }
        values["posterAlt"] = language("\(title) 포스터", "Poster of \(title)")
        values["posterName"] = language("포스터", "Poster")
        if posters == .proxy {
            let image = frame.image(of: poster, code: code)
            values["image"] = image
            values["shareImage"] = frame.site.map { $0 + image }
        }
        values["poster"] = frame.source(of: poster, posters)
    }

    private func rows(_ fields: [(label: String, text: String)]) -> [[String: Any]] {
        fields.map { ["name": $0.label, "text": $0.text] }
    }

    private func line(_ failure: Failure) -> String { FailureWording(language: language).line(failure) }
}
