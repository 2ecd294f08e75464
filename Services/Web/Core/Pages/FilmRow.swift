import Assembly
import Contracts
import Domain
import Envelope
import Localization
import Wording

/// A film of a chart, as a row of the list or as a cell of the grid.
struct FilmRow {
    let frame: PageFrame
    let layout: ChartLayout
    let posters: PosterUse
    let selection: ChartSelection
    /// Nil for another chart than a whole country's day.
    var trends: ChartTrends?
    /// Of the chart.
    let source: DataSource?
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
        /// Of parts that are less genuine than the chart.
        var detailMark: HTML?
        var posterMark: HTML?
        let detail: FilmDetail?
        var isAwaited = false
    }

    /// - Parameter reasons: why parts are missing.
    func html(_ entry: ChartEntry, _ parts: ShowAssembly.Film, _ reasons: [String]) -> HTML {
        let poster = decoded.poster(parts.poster)
        let link = frame.href(.film(entry.code))
        let image = posters == .proxy ? poster.map { frame.image(of: $0, code: entry.code) } : nil
        let marks = [parts.detail?.source, parts.poster?.source].map { frame.mark($0, beside: source) }
        let look = Look(
            link: link, picture: image.map { picture($0, link) } ?? emptyPicture(PageFrame.initial(of: entry.title)),
            source: parts.poster?.value == nil ? missingPoster(parts) : poster.flatMap { source($0) },
            detailMark: marks[0], posterMark: marks[1], detail: decoded.detail(parts.detail))
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
        let bone: HTML? = look.isAwaited ? "<p class=\"summary bone\">&nbsp;</p>" : nil
        let sourceBone: HTML? = look.isAwaited ? "<p class=\"source bone\">&nbsp;</p>\n" : nil
        return """
            <li class="film" data-code="\(entry.code)">
            \(rank(entry))
            \(look.picture)
            <div class="body">
            \(title(entry, look))
            \(summary.map { "<p class=\"summary\"><bdi>\($0)</bdi> \(look.detailMark)</p>" as HTML })\(bone)
            \(reasons.map { "<p class=\"note\">\($0)</p>" })
            </div>
            \(look.source.map { "<p class=\"source\">\($0) \(look.posterMark)</p>\n" as HTML })\(sourceBone)\(figures(entry))
            <div class="share">\(look.isAwaited ? nil : trend(entry))\(share(entry))</div>
            </li>

            """
    }

    // MARK: Figures

    private func figures(_ entry: ChartEntry) -> HTML {
        let change = wording.change(entry)
        return """
            <p class="figures"><span class="day"><span class="name">\(wording.period(selection.kind))</span> \
            <b>\(entry.audience.withSeparators)</b></span> <span class="change">\(change ?? "")</span> \
            <span class="sum"><span class="slash">/ </span><span class="name">\(language("총", "total"))</span> \(entry.audienceTotal.withSeparators)</span> \
            <span class="screens"><span class="name">\(language("스크린", "screens"))</span> \(entry.screens.withSeparators)</span> \
            <span class="release"><span class="name">\(language("개봉", "release"))</span> \(release(entry))</span></p>
            """
    }

    /// The day of release; of a film that opened long ago its opening day.
    private func release(_ entry: ChartEntry) -> String {
        guard let opening = entry.openingDay else { return "-" }
        let day = selection.days.lowerBound.days(since: opening)
        if selection.kind == .daily {
            return abs(day) < 1000
                ? wording.release(day) : language("\(opening.components.year)년", "\(opening.components.year)")
        }
        return opening.iso
    }

    /// A bar for each of the last fourteen days; a day outside the ten has a flat one, a day that is not archived none.
    private func trend(_ entry: ChartEntry) -> HTML? {
        guard let trends else { return nil }
        let audiences = trends.audiences(of: entry)
        guard let most = audiences.compactMap(\.self).max(), most > 0 else { return nil }
        let bars = audiences.enumerated().compactMap { place, audience -> HTML? in
            guard let audience else {
                return trends.isKnown(place)
                    ? "<rect class=\"track\" x=\"\(place * 4)\" y=\"23\" width=\"3\" height=\"1\"/>" : nil
            }
            let height = max(1, SVG.share(audience, of: most, in: 24))
            let style = place == ChartTrends.days - 1 ? "bar last" : "bar"
            return "<rect class=\"\(style)\" x=\"\(place * 4)\" y=\"\(24 - height)\" width=\"3\" height=\"\(height)\"/>"
        }
        let known = audiences.compactMap(\.self).count
        let text = language(
            "최근 \(ChartTrends.days)일 중 10위권 \(known)일, 하루 최다 \(most.withSeparators)명",
            "\(known) of the last \(ChartTrends.days) days in the top 10, at most \(most.withSeparators) a day")
        return """
            <svg class="trend" viewBox="0 0 55 24" preserveAspectRatio="none" role="img" aria-label="\(text)"><title>\(text)</title>\(bars)</svg>
            """
    }

    private func share(_ entry: ChartEntry) -> HTML {
        let share = Self.percent(entry.salesShare)
        let text = language("매출 점유율 \(share)%", "\(share)% of sales")
        return """
            <svg class="quiet" viewBox="0 0 100 1" preserveAspectRatio="none" role="img" aria-label="\(text)"><title>\(text)</title>\
            <rect class="track" width="100" height="1"/><rect class="bar" width="\(share)" height="1"/></svg>\
            <span class="percent" aria-hidden="true">\(share)%</span>
            """
    }

    /// The names of the figures, above the rows of a wide page.
    static func heads(_ selection: ChartSelection, hasTrends: Bool, _ language: Language) -> HTML {
        let wording = ChartWording(language: language)
        let isDaily = selection.kind == .daily
        let names = [
            language("영화", "Film"), language("\(wording.period(selection.kind)) 관객", "Admissions"),
            language("증감", "Change"), language("누적 관객", "Total"), language("스크린", "Screens"),
            isDaily ? language("개봉 후", "Release day") : language("개봉일", "Opened"),
            hasTrends ? language("최근 14일, 매출 점유율", "14 days, sales share") : language("매출 점유율", "Sales share"),
        ]
        return "<div class=\"heads\" aria-hidden=\"true\">\(names.map { "<span>\($0)</span>" as HTML })</div>\n"
    }

    private func cell(_ entry: ChartEntry, _ look: Look) -> HTML {
        """
        <li class="cell" data-code="\(entry.code)">
        \(look.picture)
        \(rank(entry))
        \(title(entry, look))
        <p class="total">\(wording.period(selection.kind)) <b>\(entry.audience.withSeparators)</b></p>
        <p class="source\(look.isAwaited ? " bone" : "")">\(look.isAwaited ? "&nbsp;" as HTML : look.source)</p>
        </li>

        """
    }

    private func rank(_ entry: ChartEntry) -> HTML {
        """
        <p class="rank">\(entry.rank) <span class="move \(Self.move(entry.movement))">\
        \(isReentry(entry) ? language("재진입", "BACK") : wording.movement(entry.movement))</span></p>
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

    /// A list has it on the film's page, unless it stands for the image.
    private func source(_ poster: Poster) -> HTML? {
        layout == .grid || posters == .link ? frame.source(of: poster, posters) : nil
    }

    /// In the place of the source: nothing moves when the poster arrives.
    private func missingPoster(_ parts: ShowAssembly.Film) -> HTML {
        "\(words.missing(parts.poster, words.name(.poster)))"
    }

    // MARK: Texts

    /// A film of an earlier time is not new.
    private func isReentry(_ entry: ChartEntry) -> Bool { entry.isReentry(on: selection.days.lowerBound) }

    /// The line below a film's figures: a detail, or that there is none.
    private func summary(_ entry: ChartEntry, _ parts: ShowAssembly.Film, _ detail: FilmDetail?) -> String {
        let missing = parts.detail?.value == nil ? [words.missing(parts.detail, words.name(.detail))] : []
        let all = words(entry, detail) + missing
        return all.isEmpty ? films.unknown : all.joined(separator: " · ")
    }

    private func words(_ entry: ChartEntry, _ detail: FilmDetail?) -> [String] {
        guard let detail else { return [] }
        return
            [
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
