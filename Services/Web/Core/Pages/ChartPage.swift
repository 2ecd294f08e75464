import Assembly
import Contracts
import Domain
import Envelope
import Localization
import Wording

/// The page of a chart: its films as a list or as a grid of posters, which can be sent one by one.
struct ChartPage {
    let frame: PageFrame
    let layout: ChartLayout
    let posters: PosterUse
    /// Unix time in seconds.
    let now: Double
    /// Nil for another chart than a whole country's day.
    var trends: ChartTrends?
    let decoded: DecodedParts

    private var language: Language { frame.language }
    private var wording: ChartWording { ChartWording(language: language) }
    private var parts: PartWording { PartWording(language: language) }

    /// The whole page of an answer whose films have all arrived or failed.
    ///
    /// - Parameters:
    ///   - notes: about all films.
    ///   - how: the link to how the query was answered.
    func html(_ assembly: ShowAssembly, notes general: [String], how: PageLink?) -> [UInt8] {
        let films = entries(of: assembly)
        var notes = filmNotes(films)
        // A cell of the grid has no room for reasons.
        if layout == .grid { notes.shareAll() }
        let row = row(assembly)
        let rows = zip(films, notes.own).map { film, reasons in row.html(film.entry, film.parts, reasons) }
        return opening(assembly) + rows.flatMap(\.bytes) + closing(assembly, notes: shared(notes) + general, how: how)
    }

    /// Everything before the films.
    ///
    /// - Parameter awaitsRows: whether the films follow one by one.
    func opening(_ assembly: ShowAssembly, awaitsRows: Bool = false) -> [UInt8] {
        let selection = assembly.selection
        let style = layout == .grid ? "grid" : "films"
        let filter = wording.filter(selection.filter)
        // The name of the site says what a daily chart is.
        let kind: HTML? =
            selection == .daily(selection.days.lowerBound)
            ? nil : "<p class=\"kind\">\(wording.title(selection.kind))\(filter.map { " · \($0)" })</p>\n"
        let main: HTML = """
            <div class="head">
            \(kind)<h1>\(heading(selection))</h1>
            <p class="state">\(wording.progress(selection.days, until: frame.yesterday).map { "\($0) · " })\
            \(wording.state(isProvisional: isProvisional(assembly))) · \
            \(frame.label(assembly.source) ?? "KOBIS")\(frame.moment(of: assembly.chart, now: now))</p>
            \(context(assembly))</div>
            \(ChartControls(frame: frame, layout: layout, selection: selection).html)\
            <div class="about-all" id="top">\(frame.notes(parts.note(assembly.chart, parts.chart, line: line)))</div>
            \(layout == .list ? FilmRow.heads(selection, hasTrends: trends != nil, language) : nil)<div class="stack">
            \(awaitsRows ? awaitedRows(assembly, style) : nil)<ol class="\(style)">

            """
        return (frame.opening(head(assembly)) + main).bytes
    }

    /// Everything after the films.
    ///
    /// - Parameter firstSource: of the answer when the page began, if it has been sent.
    func closing(
        _ assembly: ShowAssembly, notes: [String], how: PageLink?, firstSource: DataSource? = nil
    ) -> [UInt8] {
        let all = notes + [parts.incompleteness(assembly)].compactMap(\.self)
        // A part that arrived later may be less genuine than the chart.
        let isLate = firstSource != nil && firstSource != assembly.source
        let label = isLate ? frame.label(assembly.source) : nil
        let main: HTML = """
            </ol>
            </div><span class="end" hidden></span>
            <div class="notes">\(label.map { "<p class=\"note\">\($0)</p>\n" })\(frame.notes(all))</div>
            <div class="foot">
            \(frame.isStatic ? nil : live(assembly) + forms(assembly.selection))\(frame.how(how))</div>

            """
        return (main + frame.closing(head(assembly))).bytes
    }

    private func live(_ assembly: ShowAssembly) -> HTML {
        let events = PageAddress.chart(assembly.selection, layout).events
        return LiveSection(language: language).chart(events, version: assembly.version)
    }

    /// The same chart for other programs.
    private func forms(_ selection: ChartSelection) -> HTML {
        let address = PageAddress.chart(selection, .list)
        let table = frame.localized(address.path(as: ".csv"))
        return """
            <p class="forms"><a href="\(table)">\(language("CSV(엑셀)", "CSV for Excel"))</a> \
            <a href="\(address.path(as: ".json"))">JSON</a> \
            <a href="\(frame.localized("/feed.atom"))">\(language("피드", "Feed"))</a></p>

            """
    }

    /// A day in words; a week by its first and last day.
    private func heading(_ selection: ChartSelection) -> String {
        wording.longDays(selection.days)
    }

    /// Who leads and by how much, of the whole country's films of a day.
    private func context(_ assembly: ShowAssembly) -> HTML? {
        let selection = assembly.selection
        guard selection == .daily(selection.days.lowerBound) else { return nil }
        let rows = entries(of: assembly)
        let titles = rows.reduce(into: [String: String]()) { titles, row in
            titles[row.entry.code] = decoded.detail(row.parts.detail)?.titleEnglish
        }
        let brief = ChartBrief(day: selection.days.lowerBound, entries: rows.map(\.entry), weekBefore: nil)
        let wording = BriefWording(language: language, englishTitles: titles)
        let sentence = brief.flatMap { wording.sentences($0).first }
        return sentence.map { "<p class=\"context\"><bdi>\($0)</bdi></p>\n" }
    }

    private func head(_ assembly: ShowAssembly) -> PageHead {
        let entries = entries(of: assembly).map(\.entry)
        let title = wording.days(assembly.selection.days)
        let first = entries.prefix(3).map { "\($0.rank). \($0.title)" }.joined(separator: ", ")
        var image: String?
        if posters == .proxy, let site = frame.site, let code = entries.first?.code {
            let poster = decoded.poster(assembly.films.first { $0.code == code }?.poster)
            image = site + (poster.map { frame.image(of: $0, code: code) } ?? "/posters/\(code)")
        }
        return PageHead(
            address: .chart(assembly.selection, layout), title: title,
            description: "\(title) \(wording.title(.daily)): \(first)", date: assembly.selection.days.lowerBound,
            hasJSON: true, script: frame.assets.chartScript, shareImage: image,
            // Films may follow much later.
            ready: "top")
    }

    private func isProvisional(_ assembly: ShowAssembly) -> Bool {
        FreshnessPolicy().wasProvisional(assembly.selection, age: assembly.chart.cache?.age, now: now)
    }

    // MARK: Films

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
        let row = row(assembly)
        return entries(of: assembly)[range].flatMap { row.html($0.entry, $0.parts, []).bytes }
    }

    /// The reasons of all films, with their ranks.
    func notes(_ assembly: ShowAssembly) -> [String] {
        var notes = filmNotes(entries(of: assembly))
        notes.shareAll()
        return shared(notes)
    }

    /// The films as far as the chart describes them, to be shown while their parts are awaited.
    private func awaitedRows(_ assembly: ShowAssembly, _ style: String) -> HTML {
        let row = row(assembly)
        return """
            <ol class="\(style) awaited" hidden aria-hidden="true">
            \(entries(of: assembly).map { row.awaited($0.entry, $0.parts) })</ol>

            """
    }

    private func row(_ assembly: ShowAssembly) -> FilmRow {
        FilmRow(
            frame: frame, layout: layout, posters: posters, selection: assembly.selection, trends: trends,
            source: assembly.chart.source, decoded: decoded)
    }

    private func filmNotes(_ films: [(entry: ChartEntry, parts: ShowAssembly.Film)]) -> FilmNotes {
        FilmNotes(films.map(\.entry.rank), films.map { parts.notes($0.parts, line: line) })
    }

    private func shared(_ notes: FilmNotes) -> [String] {
        notes.shared.map { parts.shared($0.note, ranks: $0.ranks) }
    }

    private func line(_ failure: Failure) -> String { VisitorWording(language: language).reason(failure) }

    /// The entries of the chart, in its order; one whose film is unknown has no parts.
    private func entries(of assembly: ShowAssembly) -> [(entry: ChartEntry, parts: ShowAssembly.Film)] {
        let byCode = Dictionary(
            (decoded.chart(assembly.chart)?.entries ?? []).map { ($0.code, $0) },
            uniquingKeysWith: { first, _ in first })
        return assembly.films.compactMap { film in byCode[film.code].map { ($0, film) } }
    }
}
