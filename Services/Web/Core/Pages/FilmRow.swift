import Assembly
import Contracts
import Domain
import Localization
import Wording

/// A film of a chart, as a row of the list or as a cell of the grid.
struct FilmRow {
    let frame: PageFrame
    let layout: ChartLayout
    let posters: PosterUse
    let selection: ChartSelection
    let decoded: DecodedParts

    private var language: Language { frame.language }
    private var wording: ChartWording { ChartWording(language: language) }
    private var films: FilmWording { FilmWording(language: language) }
    private var words: PartWording { PartWording(language: language) }

    /// What differs between a film and one whose parts are awaited.
    private struct Look {
        var link: String?
        let picture: HTML
        var source: HTML?
        let detail: FilmDetail?
        var isAwaited = false
    }

    /// - Parameter reasons: why parts are missing.
    func html(_ entry: ChartEntry, _ parts: ShowAssembly.Film, _ reasons: [String]) -> HTML {
        let poster = decoded.poster(parts.poster)
        let link = frame.href(.film(entry.code))
        let image = posters == .proxy ? poster.map { frame.image(of: $0, code: entry.code) } : nil
        let look = Look(
            link: link, picture: image.map { picture($0, link) } ?? emptyPicture(Self.initial(of: entry.title)),
            source: parts.poster?.value == nil
                ? missingPoster(parts) : poster.flatMap { frame.source(of: $0, posters) }.map(named),
            detail: decoded.detail(parts.detail))
        return html(entry, look, summary(entry, parts, look.detail), reasons)
    }

    /// As far as the chart describes it. It has no link, and no image: what soon gives way to another one would take the
    /// focus with it.
    func awaited(_ entry: ChartEntry, _ parts: ShowAssembly.Film) -> HTML {
        let detail = decoded.detail(parts.detail)
        let words = self.words(entry, detail)
        return html(
            entry, Look(picture: emptyPicture(nil), detail: detail, isAwaited: true),
            words.isEmpty ? nil : words.joined(separator: " · "), [])
    }

    private func html(_ entry: ChartEntry, _ look: Look, _ summary: String?, _ reasons: [String]) -> HTML {
        switch layout {
        case .list: row(entry, look, summary, reasons)
        case .grid: cell(entry, look)
        }
    }

    private func row(_ entry: ChartEntry, _ look: Look, _ summary: String?, _ reasons: [String]) -> HTML {
        let share = Self.percent(entry.salesShare)
        let bone: HTML? = look.isAwaited ? "<p class=\"summary bone\">&nbsp;</p>" : nil
        let sourceBone: HTML? = look.isAwaited ? "<p class=\"source bone\">&nbsp;</p>\n" : nil
        return """
            <li class="film" data-code="\(entry.code)">
            \(rank(entry))
            \(look.picture)
            <div class="body">
            \(title(entry, look))
            <p class="figures">\(wording.period(selection.kind)) <b>\(entry.audience.withSeparators)</b> / \
            \(language("총", "total")) \(entry.audienceTotal.withSeparators)</p>
            \(summary.map { "<p class=\"summary\"><bdi>\($0)</bdi></p>" })
            \(bone)
            \(reasons.map { "<p class=\"note\">\($0)</p>" })
            </div>
            \(look.source.map { "<p class=\"source\">\($0)</p>\n" })\(sourceBone)<div class="share">
            <p>\(language("매출 점유율", "share of sales")) \(share)%</p>
            <svg viewBox="0 0 100 1" preserveAspectRatio="none" aria-hidden="true">\
            <rect class="track" width="100" height="1"/><rect class="bar" width="\(share)" height="1"/></svg>
            </div>
            </li>

            """
    }

    private func cell(_ entry: ChartEntry, _ look: Look) -> HTML {
        """
        <li class="cell" data-code="\(entry.code)">
        \(look.picture)
        \(rank(entry))
        \(title(entry, look))
        <p class="figures">\(wording.period(selection.kind)) <b>\(entry.audience.withSeparators)</b></p>
        <p class="source\(look.isAwaited ? " bone" : "")">\(look.isAwaited ? "&nbsp;" as HTML : look.source)</p>
        </li>

        """
    }

    private func rank(_ entry: ChartEntry) -> HTML {
        """
        <p class="rank">\(entry.rank) <span class="move \(Self.move(entry.movement))">\
        \(wording.movement(entry.movement))</span></p>
        """
    }

    private func title(_ entry: ChartEntry, _ look: Look) -> HTML {
        let title = frame.title(entry.title, english: look.detail?.titleEnglish)
        return "<h2>\(look.link.map { "<a href=\"\($0)\">\(title)</a>" } ?? title)</h2>"
    }

    // MARK: Posters

    private func picture(_ image: String, _ link: String) -> HTML {
        """
        <a class="poster" href="\(link)" tabindex="-1" aria-hidden="true">\
        <img src="\(image)" alt="" width="200" height="286" loading="lazy" decoding="async"></a>
        """
    }

    private func emptyPicture(_ initial: String?) -> HTML {
        "<span class=\"poster empty\" aria-hidden=\"true\">\(initial ?? "")</span>"
    }

    private static func initial(of title: String) -> String {
        title.first { $0.isLetter || $0.isNumber }.map(String.init) ?? ""
    }

    /// A cell has no room for the name.
    private func named(_ source: HTML) -> HTML {
        layout == .list ? "<span class=\"wide\">\(words.name(.poster)) </span>\(source)" : source
    }

    /// In the place of the source: nothing moves when the poster arrives.
    private func missingPoster(_ parts: ShowAssembly.Film) -> HTML {
        let reason = words.missing(parts.poster, words.name(.poster))
        guard layout == .list else { return "\(reason)" }
        return "<span class=\"wide\">\(reason)</span><span class=\"narrow\">\(language("없음", "none"))</span>"
    }

    // MARK: Texts

    /// The line below a film's figures: a detail, or that there is none.
    private func summary(_ entry: ChartEntry, _ parts: ShowAssembly.Film, _ detail: FilmDetail?) -> String {
        let missing = parts.detail?.value == nil ? [words.missing(parts.detail, words.name(.detail))] : []
        let all = words(entry, detail) + missing
        return all.isEmpty ? films.unknown : all.joined(separator: " · ")
    }

    private func words(_ entry: ChartEntry, _ detail: FilmDetail?) -> [String] {
        let isReentry = selection.kind == .daily && entry.isReentry(on: selection.days.lowerBound)
        let reentry = isReentry ? [films.reentry] : []
        guard let detail else { return reentry }
        return reentry
            + [
                // A row has no room for both names; the film's page has them.
                films.list(detail.directors.map { films.shortName($0.name, english: $0.nameEnglish) }),
                detail.ratings.currentGrade.map(films.term), detail.runningMinutes.map(films.minutes),
                films.list(detail.genres.map(films.term)),
            ].compactMap(\.self)
    }

    /// A number for an attribute of SVG: messages may contain any.
    private static func percent(_ number: Double) -> String {
        let tenths = number.isFinite ? Int((min(max(0, number), 100) * 10).rounded()) : 0
        return "\(tenths / 10).\(tenths % 10)"
    }

    private static func move(_ movement: Movement) -> String {
        switch movement {
        case .new: "new"
        case .up: "up"
        case .down: "down"
        case .same: "same"
        }
    }
}
