import Assembly
import Contracts
import Domain
import Envelope
import Localization
import Wording
import Zlib

/// The page of a chart: its films as a list or as a grid of posters, which can be sent one by one.
struct ChartPage {
    let frame: PageFrame
    let layout: ChartLayout
    let posters: PosterUse
    /// Unix time in seconds.
    let now: Double
    let templates: PageTemplates
    let decoded: DecodedParts

    private var language: Language { frame.language }
    private var wording: ChartWording { ChartWording(language: language) }
    private var films: FilmWording { FilmWording(language: language) }
    private var parts: PartWording { PartWording(language: language) }

    /// Where the films belong in the template.
    private static let place = Array("<!--films-->".utf8)

    /// Everything before and after the films.
    ///
    /// - Parameters:
    ///   - notes: about all films.
    ///   - how: the link to how the query was answered.
    ///   - awaitsRows: whether the films follow one by one.
    ///   - firstSource: of the answer when the page began, if it has been sent.
    func frame(
        _ assembly: ShowAssembly, notes: [String] = [], how: [String: Any]? = nil, awaitsRows: Bool = false,
        firstSource: DataSource? = nil
    ) -> (opening: ArraySlice<UInt8>, closing: ArraySlice<UInt8>) {
        var values = values(assembly)
        values["sharedNotes"] = notes + [parts.incompleteness(assembly)].compactMap(\.self)
        values["how"] = how
        if awaitsRows { values["awaited"] = awaitedRows(assembly) }
        // A part that arrived later may be less genuine than the chart.
        if let firstSource, firstSource != assembly.source { values["lateLabel"] = assembly.source?.label?(language) }
        let html = templates.html(.chart, values)
        // Texts are escaped, so that none of them contains the comment.
        let place = html.indices.dropLast(Self.place.count - 1).first {
            html[$0] == Self.place[0] && html[$0...].starts(with: Self.place)
        }
        guard let place else { return (html[...], []) }
        return (html[..<place], html[(place + Self.place.count)...])
    }

    /// The films as far as the chart describes them, to be shown while their parts are awaited.
    private func awaitedRows(_ assembly: ShowAssembly) -> String {
        let html = entries(of: assembly).reduce(into: [UInt8]()) { html, film in
            html += row(film.entry, film.parts, assembly.selection, [], isAwaited: true)
        }
        return String(decoding: html, as: UTF8.self)
    }

    /// The whole page of an answer whose films have all arrived or failed.
    func html(_ assembly: ShowAssembly, notes general: [String], how: [String: Any]?) -> [UInt8] {
        let films = entries(of: assembly)
        var notes = FilmNotes(films.map(\.entry.rank), films.map { reasons($0.parts) })
        // A cell of the grid has no room for reasons.
        if layout == .grid { notes.shareAll() }
        let (opening, closing) = frame(
            assembly, notes: notes.shared.map { parts.shared($0.note, ranks: $0.ranks) } + general, how: how)
        return zip(films, notes.own).reduce(into: Array(opening)) { html, film in
            html += row(film.0.entry, film.0.parts, assembly.selection, film.1)
        } + closing
    }

    /// The films that can be shown next: those whose parts have arrived, up to the first that waits.
    ///
    /// - Parameters:
    ///   - first: the films before it are shown.
    ///   - isLast: shows all.
    func readyFilms(_ first: Int, of assembly: ShowAssembly, isLast: Bool) -> Range<Int> {
        let films = entries(of: assembly)
        let waiting = films[first...].firstIndex { !$0.parts.isWhole }
        return first..<(isLast ? films.endIndex : waiting ?? films.endIndex)
    }

    /// The films as HTML, for a page whose reasons are all at its end.
    ///
    /// - Parameter range: of the answer's films.
    func rows(_ range: Range<Int>, of assembly: ShowAssembly) -> [UInt8] {
        entries(of: assembly)[range].reduce(into: []) { html, film in
            html += row(film.entry, film.parts, assembly.selection, [])
        }
    }

    /// The reasons of all films, with their ranks.
    func notes(_ assembly: ShowAssembly) -> [String] {
        let films = entries(of: assembly)
        var notes = FilmNotes(films.map(\.entry.rank), films.map { reasons($0.parts) })
        notes.shareAll()
        return notes.shared.map { parts.shared($0.note, ranks: $0.ranks) }
    }

    /// The values of the page without its films.
    private func values(_ assembly: ShowAssembly) -> [String: Any] {
        let selection = assembly.selection
        let entries = entries(of: assembly).map(\.entry)
        let address = PageAddress.chart(selection, layout)
        let title = wording.days(selection.days)
        var values = frame.values(
            address, title: title, description: description(title, entries), date: selection.days.lowerBound,
            hasJSON: true)
        // The name of the site says what a daily chart is.
        if selection != .daily(selection.days.lowerBound) { values["kind"] = wording.title(selection.kind) }
        values["filter"] = wording.filter(selection.filter)
        values["state"] = wording.state(isProvisional: isProvisional(selection, assembly.chart))
        values["label"] = assembly.source?.label?(language)
        values["notes"] = parts.note(assembly.chart, parts.chart, line: line)
        values["moment"] = frame.momentValues(of: assembly.chart, now: now)
        values["isGrid"] = layout == .grid
        if posters == .proxy, let site = frame.site, let code = entries.first?.code {
            let poster = decoded.poster(assembly.films.first { $0.code == code }?.poster)
            values["shareImage"] = site + (poster.map { frame.image(of: $0, code: code) } ?? "/posters/\(code)")
        }
        // Films may follow much later.
        values["ready"] = "top"
        values["script"] = frame.assets.chartScript
        values["live"] = LiveSection(language: language).chart(address.events, version: assembly.version)
        let controls = ChartControls(frame: frame, layout: layout, templates: templates)
        values.merge(controls.values(selection)) { $1 }
        return values
    }

    private func line(_ failure: Failure) -> String { FailureWording(language: language).line(failure) }

    private func reasons(_ film: ShowAssembly.Film) -> [String] {
        parts.notes(film, line: line)
    }

    /// The entries of the chart, in its order; one whose film is unknown has no parts.
    private func entries(of assembly: ShowAssembly) -> [(entry: ChartEntry, parts: ShowAssembly.Film)] {
        let byCode = Dictionary(
            (decoded.chart(assembly.chart)?.entries ?? []).map { ($0.code, $0) },
            uniquingKeysWith: { first, _ in first })
        return assembly.films.compactMap { film in byCode[film.code].map { ($0, film) } }
    }

    private func description(_ title: String, _ entries: [ChartEntry]) -> String {
        let first = entries.prefix(3).map { "\($0.rank). \($0.title)" }.joined(separator: ", ")
        return "\(title) \(wording.title(.daily)): \(first)"
    }

    /// The ETag of the page: of its parts, and of all else that it depends on.
    func tag(_ assembly: ShowAssembly) -> String {
        let others =
            "\(frame.yesterday.iso) \(isProvisional(assembly.selection, assembly.chart)) \(posters) \(frame.site ?? "") "
            + "\(frame.moment(of: assembly.chart, now: now).text) "
            + "\(frame.assets.stylesheet) \(frame.assets.chartScript) \(templates.checksum)"
        return "W/\"\(assembly.version)-\(String(Zlib.crc32(Array(others.utf8)), radix: 16))\""
    }

    private func isProvisional(_ selection: ChartSelection, _ chart: PartOutcome) -> Bool {
        FreshnessPolicy().wasProvisional(selection, age: chart.cache?.age, now: now)
    }

    // MARK: Films

    private func row(
        _ entry: ChartEntry, _ parts: ShowAssembly.Film, _ selection: ChartSelection, _ reasons: [String],
        isAwaited: Bool = false
    ) -> [UInt8] {
        let detail = decoded.detail(parts.detail)
        let poster = decoded.poster(parts.poster)
        let isReentry = selection.kind == .daily && entry.isReentry(on: selection.days.lowerBound)
        var row = frame.title(entry.title, english: detail?.titleEnglish)
        // A link that soon gives way to another one would take the focus with it.
        if isAwaited { row["isAwaited"] = true } else { row["link"] = frame.href(.film(entry.code)) }
        row["code"] = entry.code
        row["rank"] = entry.rank
        row["movement"] = wording.movement(entry.movement)
        row["move"] = Self.move(entry.movement)
        row["period"] = wording.period(selection.kind)
        row["totalName"] = language("총", "total")
        row["audience"] = entry.audience.withSeparators
        row["total"] = entry.audienceTotal.withSeparators
        row["share"] = Self.percent(entry.salesShare)
        row["shareLabel"] = language("매출 점유율", "share of sales") + " \(Self.percent(entry.salesShare))%"
        row["summary"] = summary(parts, detail, isReentry: isReentry, isAwaited: isAwaited)
        row["reasons"] = reasons
        row["initial"] = entry.title.first { $0.isLetter || $0.isNumber }.map(String.init) ?? ""
        if let poster, posters == .proxy, !isAwaited { row["image"] = frame.image(of: poster, code: entry.code) }
        // Nor a link that soon gives way.
        row["poster"] = isAwaited ? nil : poster.flatMap { frame.source(of: $0, posters) }
        row["posterName"] = self.parts.name(.poster)
        if parts.poster?.value == nil, !isAwaited {
            // In the place of the source: nothing moves when the poster arrives.
            row["missingPoster"] = self.parts.missing(parts.poster, self.parts.name(.poster))
            row["none"] = language("없음", "none")
        }
        return templates.html(layout == .grid ? .cell : .row, row) + [UInt8(ascii: "\n")]
    }

    /// The line below a film's figures: a detail, or that there is none.
    private func summary(
        _ film: ShowAssembly.Film, _ detail: FilmDetail?, isReentry: Bool, isAwaited: Bool
    ) -> String? {
        var words = isReentry ? [films.reentry] : []
        if let detail {
            words += [
                // A row has no room for both names; the film's page has them.
                films.list(detail.directors.map { films.shortName($0.name, english: $0.nameEnglish) }),
                detail.ratings.currentGrade.map(films.term), detail.runningMinutes.map(films.minutes),
                films.list(detail.genres.map(films.term)),
            ].compactMap(\.self)
        }
        if film.detail?.value == nil, !isAwaited { words.append(parts.missing(film.detail, parts.name(.detail))) }
        if words.isEmpty { return isAwaited ? nil : films.unknown }
        return words.joined(separator: " · ")
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
