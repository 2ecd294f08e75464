import Assembly
import BoxOffice
import Envelope
import Localization
import Wording

/// The page of a film: its detail, its poster with the source, and its run in the stored charts.
struct DetailPage {
    let frame: PageFrame
    let posters: PosterUse

    private var language: Language { frame.language }
    private var wording: FilmWording { FilmWording(language: language) }
    private var parts: PartWording { PartWording(language: language) }

    /// - Throws: `DecodingError` for a part that does not match its contract.
    func values(code: String, detail: PartOutcome, poster: PartOutcome, run: StoredRun?) throws -> [String: Any]? {
        guard let film = try detail.value.map({ try JSONBytes.decode(FilmDetail.self, from: $0) }) else { return nil }
        let title = wording.title(film.title, english: film.titleEnglish)
        let fields = wording.fields(film)
        var values = frame.values(
            .film(code), title: title,
            description: fields.prefix(5).map { "\($0.label) \($0.text)" }.joined(separator: " · "), hasJSON: true)
        values.merge(frame.title(film.title, english: film.titleEnglish)) { $1 }
        values["code"] = film.code
        values["label"] = [detail.source, poster.source, run?.source].compactMap(\.self).min()?.label?(language)
        values["kobis"] = FilmWording.page(code: film.code)
        values["fields"] = rows(fields)
        values["initial"] = film.title.first.map(String.init) ?? ""
        if let run {
            values["hasRun"] = true
            values["runName"] = language("저장된 차트에서", "In the stored charts")
            values["run"] = rows(RunWording(language: language).fields(run.run))
        }
        try addPoster(poster, code: code, title: title, to: &values)
        values["notes"] =
            parts.note(detail, parts.detail, line: line) + parts.note(poster, parts.poster, line: line)
        return values
    }

    private func addPoster(
        _ outcome: PartOutcome, code: String, title: String, to values: inout [String: Any]
    ) throws {
        guard let poster = try outcome.value.map({ try JSONBytes.decode(PosterBrief.self, from: $0) }) else { return }
        values["posterAlt"] = language("\(title) 포스터", "Poster of \(title)")
        values["posterName"] = language("포스터", "Poster")
        if posters == .proxy {
            values["image"] = "/posters/\(code)"
            values["shareImage"] = frame.site.map { "\($0)/posters/\(code)" }
        }
        // The address comes from the upstream: a link must not run a script.
        guard posters != .off, ["http://", "https://"].contains(where: poster.pageURL.hasPrefix) else { return }
        values["posterPage"] = [
            "href": poster.pageURL, "text": wording.site(poster.site) + wording.certainty(poster.confidence),
        ]
    }

    private func rows(_ fields: [(label: String, text: String)]) -> [[String: Any]] {
        fields.map { ["name": $0.label, "text": $0.text] }
    }

    private func line(_ failure: Failure) -> String { FailureWording(language: language).line(failure) }
}
