import Assembly
import Domain
import Envelope
import Localization
import Wording

/// The totals of two to six films side by side.
struct ComparePage {
    let frame: PageFrame

    private var language: Language { frame.language }
    private var title: String { language("영화 비교", "Compare films") }

    /// What is known of one of the films that were named.
    enum Film {
        case run(FilmRun)
        /// No film, or several ones.
        case candidates(String, [FilmCandidate])
        /// No archived chart has it.
        case withoutRun(String)
    }

    /// The form alone, also for fewer than two films.
    func form(_ films: [String], note: String?) -> [UInt8] {
        page(.compare(films, .release), films, [], "\(note.map { "<p class=\"note\">\($0)</p>\n" })")
    }

    func html(_ names: [String], _ films: [Film], by axis: RunComparison.Axis, how: PageLink?) -> [UInt8] {
        let runs = films.compactMap { film -> FilmRun? in
            if case .run(let run) = film { run } else { nil }
        }
        let problems = films.enumerated().compactMap { problem($1, at: $0, of: names, by: axis) }
        let titles = films.map { film -> String? in
            if case .run(let run) = film { frame.plainTitle(of: run.code, run.title) } else { nil }
        }
        let compared = runs.count > 1 ? comparison(runs, by: axis, names) : nil
        let main: HTML = "\(problems)\(compared)\(frame.how(how))"
        return page(.compare(names, axis), names, titles, main)
    }

    /// - Parameter titles: of the films that were found by code or title.
    private func page(_ address: PageAddress, _ films: [String], _ titles: [String?], _ main: HTML) -> [UInt8] {
        let inputs = (0..<min(6, max(2, films.count + 1))).map { index -> HTML in
            let title = index < titles.count ? titles[index] : nil
            let name = index < films.count ? films[index] : ""
            // The code after a title says which film of that title is meant.
            let value = title.map { $0 == name ? name : "\($0) (\(name))" } ?? name
            return """
                <label>\(language("영화 \(index + 1)", "Film \(index + 1)")) <input name="film" value="\(value)" maxlength="100"></label>

                """
        }
        return frame.page(
            PageHead(address: address, title: title, description: title, isIndexed: false),
            """
            <div class="head"><h1>\(title)</h1></div>
            <form class="fields" action="/compare">\(inputs)\(frame.languageField)<button>\(language("비교", "Compare"))</button></form>
            <p class="legend">\(language("영화 제목을 입력하세요.", "Enter film titles."))</p>
            \(main)
            """)
    }

    /// - Parameter place: of the film among those that were named.
    private func problem(
        _ film: Film, at place: Int, of names: [String], by axis: RunComparison.Axis
    ) -> HTML? {
        switch film {
        case .run(let run):
            guard run.unknownDays > 0 else { return nil }
            let title = frame.plainTitle(of: run.code, run.title)
            let text = language(
                "\(place + 1). \(title): \(run.unknownDays.withSeparators)일 치 차트가 없습니다.",
                "\(place + 1). \(title): \(run.unknownDays == 1 ? "1 daily chart is" : "\(run.unknownDays.withSeparators) daily charts are") missing."
            )
            return "<p class=\"note\">\(text)</p>\n"
        case .withoutRun(let name):
            return """
                <p class="note">\(language("'\(name)': 저장된 차트에 없는 영화입니다.", "'\(name)': no archived chart has this film."))</p>

                """
        case .candidates(let name, let films):
            guard !films.isEmpty else {
                return "<p class=\"note\">\(language("'\(name)' 영화를 찾지 못했습니다.", "No film is called '\(name)'."))</p>\n"
            }
            let choices = films.prefix(20).map { film -> HTML in
                var chosen = names
                if chosen.indices.contains(place) { chosen[place] = film.code }
                let link = frame.href(.compare(chosen, axis))
                return """
                    <li><a href="\(link)">\(frame.title(of: film.code, film.title))</a> \
                    \(film.openingDay?.iso ?? film.openingText ?? "") <code>\(film.code)</code></li>

                    """
            }
            return """
                <div class="note"><p>\(language("'\(name)': 여러 편이 있습니다. 하나를 고르세요.", "'\(name)': several films match. Choose one."))</p>
                <ul>\(choices)</ul></div>

                """
        }
    }

    // MARK: Figures

    private func comparison(_ runs: [FilmRun], by axis: RunComparison.Axis, _ names: [String]) -> HTML {
        // A film without an opening day has no day of release.
        guard let comparison = RunComparison(runs, by: axis) ?? RunComparison(runs, by: .date) else { return "" }
        let isByRelease = comparison.axis == .release
        let other = frame.link(
            .compare(names, isByRelease ? .date : .release),
            isByRelease ? language("날짜로 비교", "Compare by date") : language("개봉 후 일수로 비교", "Compare by day of release"))
        let films = runs.enumerated().map { index, run -> HTML in
            """
            <li class="line\(index + 1)"><a href="\(frame.href(.film(run.code)))">\(frame.title(of: run.code, run.title))</a> \
            <span class="summary">\(run.openingDay.map { language("\($0) 개봉", "opened \($0)") } ?? "") · \
            \(language("누적", "total")) \(run.last.entry.audienceTotal.withSeparators)</span></li>

            """
        }
        return """
            <ol class="legend-lines">\(films)</ol>
            \(plot(comparison))
            \(milestones(comparison))
            <p><a href="\(other.href)">\(other.text)</a></p>
            <details><summary>\(language("일별 수치", "Daily figures"))</summary>\(table(comparison))</details>

            """
    }

    private func plot(_ comparison: RunComparison) -> HTML? {
        let lines = comparison.lines
        guard let first = lines.first?.position, let last = lines.last?.position, last > first,
            let most = lines.flatMap(\.totals).compactMap(\.self).max(), most > 0
        else { return nil }
        // A message may have any day; a plot has room for some years.
        let days = min(last - first, 4000)
        let paths = comparison.runs.indices.map { film -> HTML in
            let points = lines.compactMap { line -> String? in
                guard let total = line.totals[film], line.position - first <= days else { return nil }
                return "\(line.position - first),\(1000 - SVG.share(total, of: most, in: 900))"
            }
            return "<polyline class=\"line\(film + 1)\" points=\"\(points.joined(separator: " "))\"/>"
        }
        let title = language("누적 관객", "Total admissions")
        let scale = SVG.scale(most, width: days, height: 1000, share: 90, RunWording(language: language).short)
        let places = days > 14 ? [first, first + days / 2, first + days] : [first, first + days]
        let text = comparison.runs.map {
            "\(frame.plainTitle(of: $0.code, $0.title)) \($0.last.entry.audienceTotal.withSeparators)"
        }
        .joined(separator: ", ")
        return """
            <svg class="totals" role="img" aria-labelledby="totals-title totals-text"><title id="totals-title">\(title)</title>\
            <desc id="totals-text">\(text)</desc><svg viewBox="0 0 \(days) 1000" preserveAspectRatio="none" width="100%" \
            height="100%">\(scale.lines)\(paths)</svg>\(scale.names)</svg>
            <p class="axis" aria-hidden="true">\(places.map { "<span>\(position($0, comparison))</span>" as HTML })</p>
            <p class="legend">\(title)</p>

            """
    }

    private func heads(_ runs: [FilmRun]) -> [HTML] {
        runs.map { "<th scope=\"col\">\(frame.title(of: $0.code, $0.title))</th>" }
    }

    private func milestones(_ comparison: RunComparison) -> HTML? {
        let reached = comparison.milestones
        guard !reached.isEmpty else { return nil }
        let rows = reached.map { milestone -> HTML in
            let cells = zip(milestone.days, milestone.dates).map { days, date -> HTML in
                let text = days.map(release) ?? date.map { $0.isExact ? $0.date.iso : "≤ \($0.date)" } ?? "-"
                return "<td>\(text)</td>"
            }
            let count = language(
                "\((milestone.audience / 10_000).withSeparators)만 명", milestone.audience.withSeparators)
            return "<tr><th scope=\"row\">\(count)</th>\(cells)</tr>\n"
        }
        return """
            <h2>\(language("관객 수 돌파까지 걸린 일수", "Days to each milestone"))</h2>
            <div class="scroll"><table class="figures-table compared"><thead><tr><td></td>\(heads(comparison.runs))</tr></thead>
            <tbody>\(rows)</tbody></table></div>

            """
    }

    private func table(_ comparison: RunComparison) -> HTML {
        let isPair = comparison.runs.count == 2
        let rows = comparison.lines.map { line -> HTML in
            let name = position(line.position, comparison)
            let cells = line.totals.map { total -> HTML in "<td>\(total?.withSeparators ?? "-")</td>" }
            let difference: HTML? = isPair ? "<td>\(line.difference?.withSeparators ?? "")</td>" : nil
            return "<tr><th scope=\"row\">\(name)</th>\(cells)\(difference)</tr>\n"
        }
        let head: HTML? = isPair ? "<th scope=\"col\">\(language("차이", "Difference"))</th>" : nil
        return """
            <div class="scroll"><table class="figures-table"><thead><tr><td></td>\(heads(comparison.runs))\(head)</tr></thead>
            <tbody>\(rows)</tbody></table></div>
            """
    }

    private func position(_ position: Int, _ comparison: RunComparison) -> String {
        comparison.axis == .date ? Day(daysSinceEpoch: position).iso : release(position)
    }

    private func release(_ day: Int) -> String { ChartWording(language: language).release(day) }
}
