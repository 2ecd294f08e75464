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

    /// More actors are folded.
    private static let castLimit = 8

    private var language: Language { frame.language }
    private var wording: FilmWording { FilmWording(language: language) }
    private var parts: PartWording { PartWording(language: language) }

    /// - Parameter how: the link to how the query was answered.
    func html(
        _ film: FilmDetail, at address: PageAddress, detail: PartOutcome, poster outcome: PartOutcome,
        run: ArchivedRun?,
        how: PageLink?
    ) -> [UInt8] {
        let poster = decoded.poster(outcome)
        // An unreadable poster has its reason, too.
        let posterPart = outcome.value == nil || poster != nil ? outcome : .failed(.unreadable)
        let title = wording.title(film.title, english: film.titleEnglish)
        let fields = wording.fields(film, castLimit: Self.castLimit)
        let image = posters == .proxy ? poster.map { frame.image(of: $0, code: film.code) } : nil
        var head = PageHead(
            address: address, title: title,
            description: fields.prefix(5).map { "\($0.label) \($0.text)" }.joined(separator: " · "), hasJSON: true)
        if let image, let site = frame.site { head.shareImage = site + image }
        let label = frame.label([detail.source, posterPart.source, run?.source].compactMap(\.self).min())
        let kobis: HTML = "<a href=\"\(FilmWording.page(code: film.code))\" rel=\"noreferrer\">KOBIS</a>"
        let notes =
            parts.note(detail, parts.name(.detail), line: line)
            + parts.note(posterPart, parts.name(.poster), line: line)
        return frame.page(
            head,
            """
            <article class="detail">
            <div class="side">\(picture(image, of: film, title))
            \(poster.flatMap { frame.source(of: $0, posters) }.map { posterSource($0, frame.mark(posterPart.source, beside: detail.source)) })</div>
            <div class="body">
            <h1>\(frame.title(film.title, english: film.titleEnglish))</h1>
            <p class="state">\(label ?? kobis)\(frame.moment(of: detail, now: now))</p>
            \(list(rows(fields, film)))
            \(cast(film))\(frame.notes(notes))</div>
            </article>
            \(run.flatMap { section($0, film.code, frame.mark($0.source, beside: detail.source)) })
            \(frame.how(how))
            """)
    }

    private func picture(_ image: String?, of film: FilmDetail, _ title: String) -> HTML {
        guard let image else {
            return
                "<span class=\"poster empty large\" aria-hidden=\"true\">\(PageFrame.initial(of: film.title))</span>"
        }
        let alternative = language("\(title) 포스터", "Poster of \(title)")
        return "<img class=\"large\" src=\"\(image)\" alt=\"\(alternative)\" width=\"400\" height=\"572\">"
    }

    private func posterSource(_ source: HTML, _ mark: HTML?) -> HTML {
        "<p class=\"source\">\(language("포스터", "Poster")): \(source) \(mark)</p>\n"
    }

    /// Without a row the run may only be missing.
    private func section(_ run: ArchivedRun, _ code: String, _ mark: HTML?) -> HTML? {
        let section = RunSection(frame: frame)
        return run.run.map { section.html($0, mark: mark) } ?? section.load(code)
    }

    /// The first field is that of the directors, who lead to their films.
    private func rows(_ fields: [(label: String, text: String)], _ film: FilmDetail) -> [(name: String, text: HTML)] {
        var rows = fields.map { (name: $0.label, text: "<bdi>\($0.text)</bdi>" as HTML) }
        let directors = film.directors.filter { !$0.name.isEmpty && $0.name.utf8.count <= FilmSearch.maxTextBytes }
        guard !directors.isEmpty, directors.count == film.directors.count, !rows.isEmpty else { return rows }
        let links = directors.enumerated().map { place, person -> HTML in
            let search = FilmSearch(director: person.name, pageSize: FilmSearch.usualPageSize)
            let name = wording.name(person.name, english: person.nameEnglish)
            return "\(place > 0 ? ", " : "")<a href=\"\(frame.href(.search(search)))\"><bdi>\(name)</bdi></a>"
        }
        rows[0].text = "\(links)"
        return rows
    }

    private func cast(_ film: FilmDetail) -> HTML? {
        let names = film.actors.map { wording.name($0.name, english: $0.nameEnglish) }
        guard names.count > Self.castLimit + 1, let all = wording.list(names) else { return nil }
        let title = language("배우 \(names.count)명 모두", "All \(names.count) actors")
        return "<details class=\"cast\"><summary>\(title)</summary><p><bdi>\(all)</bdi></p></details>\n"
    }

    private func list(_ rows: [(name: String, text: HTML)]) -> HTML {
        "<dl>\(rows.map { "<dt>\($0.name)</dt><dd>\($0.text)</dd>\n" })</dl>\n"
    }

    private func line(_ failure: Failure) -> String { VisitorWording(language: language).reason(failure) }
}
