import Assembly
import Domain
import Localization
import Wording

/// A film's run on its page: its figures, a plot of each day, and a table of the days.
struct RunSection {
    let frame: PageFrame

    private var language: Language { frame.language }

    /// - Parameter mark: of figures that are less genuine than the film's detail.
    func html(_ run: FilmRun, mark: HTML?) -> HTML {
        let wording = RunWording(language: language)
        let milestones = wording.milestones(run).map { "<span class=\"whole\">\($0)</span> " as HTML }
        let fields = wording.fields(run).enumerated().map { place, field -> HTML in
            let text: HTML = place == 3 && !milestones.isEmpty ? "\(milestones)" : "\(field.text)"
            return "<dt>\(field.label)</dt><dd>\(text)</dd>\n"
        }
        return """
            <section class="run"><h2>\(language("흥행", "Box office")) \(mark)</h2>
            <dl>\(fields)</dl>
            \(unknown(run))\(plot(run))\(table(run))\(frame.isStatic ? nil : compare(run))</section>

            """
    }

    /// How many days of the run are not known.
    private func unknown(_ run: FilmRun) -> HTML? {
        guard run.unknownDays > 0 else { return nil }
        let days = run.span.upperBound.days(since: run.span.lowerBound) + 1
        let known = days - run.unknownDays
        let text = language(
            "\(days.withSeparators)일 중 \(known.withSeparators)일의 차트가 있습니다.",
            "\(known.withSeparators) of \(days.withSeparators) days known")
        return "<p class=\"note\">\(text)</p>\n\(load(run.code))"
    }

    /// What fetches the missing charts: a visit alone fetches only as many as the budget can spare.
    func load(_ code: String) -> HTML? {
        if frame.isStatic { return nil }
        let path = frame.localized(PageAddress.film(code).path() + "/load")
        return """
            <form class="load" method="post" action="\(path)"><button>\(language("나머지 불러오기", "Load the rest"))</button></form>

            """
    }

    // MARK: Plot

    /// A message may have any day: a plot shows the first thousand.
    private static let mostDays = 1000

    private func plot(_ run: FilmRun) -> HTML? {
        let first = run.firstDay
        let rows = run.present.filter { $0.day.days(since: first) < Self.mostDays }
        guard let last = rows.last, rows.count > 1,
            let most = rows.map(\.entry.audience).max(), most > 0
        else { return nil }
        let end = max(
            last.day, min(run.isWhole ? last.day : run.span.upperBound, first.advanced(by: Self.mostDays - 1)))
        let days = end.days(since: first) + 1
        let highest = rows.map(\.entry.audienceTotal).max() ?? 0
        func x(_ day: Day) -> Int { day.days(since: first) * 10 }
        let weekends = (0..<days).filter { first.advanced(by: $0).weekday >= 6 }.map { offset -> HTML in
            "<rect class=\"weekend\" x=\"\(offset * 10)\" width=\"10\" height=\"200\"/>"
        }
        let bars = rows.map { row -> HTML in
            let height = SVG.share(row.entry.audience, of: most, in: 160)
            let style = row.isProvisional ? "bar hollow" : "bar"
            return """
                <rect class="\(style)" x="\(x(row.day) + 1)" y="\(200 - height)" width="8" height="\(height)"/>
                """
        }
        let scale = SVG.scale(most, width: days * 10, height: 200, share: 80, RunWording(language: language).short)
        let points = rows.map { "\(x($0.day) + 5),\(200 - SVG.share($0.entry.audienceTotal, of: highest, in: 160))" }
        let milestones = run.milestones.filter { first <= $0.date && $0.date <= last.day }
        let flags = milestones.map { milestone -> HTML in
            let x = x(milestone.date) + 5
            return "<line class=\"flag\" x1=\"\(x)\" x2=\"\(x)\" y1=\"0\" y2=\"200\"/>"
        }
        let names = milestones.enumerated().map { place, milestone -> HTML in
            let tenths = (x(milestone.date) + 5) * 100 / days
            let side: HTML? = tenths > 900 ? " text-anchor=\"end\" dx=\"-4\"" : " dx=\"4\""
            let name = RunWording(language: language).short(milestone.audience)
            return
                "<text class=\"flag-name\" x=\"\(tenths / 10).\(tenths % 10)%\" y=\"\(12 + place % 3 * 14)\"\(side)>\(name)</text>"
        }
        let title = language("하루 관객과 누적 관객", "Admissions a day and in total")
        let text = language(
            "\(first)부터 \(last.day)까지, 하루 최다 \(most.withSeparators)명, 누적 \(highest.withSeparators)명",
            "\(first) to \(last.day): peak day \(most.withSeparators), total \(highest.withSeparators)")
        let isProvisional = rows.contains(where: \.isProvisional)
        let words = [
            language("막대: 하루 관객", "bars: admissions a day"), language("선: 누적", "line: total"),
            flags.isEmpty ? nil : language("점선: 돌파", "dotted: milestones"),
            language("회색: 주말", "grey: weekends"),
            run.bands.contains { $0.first != nil }
                ? language("노란색: 10위 밖", "yellow: outside the top 10") : nil,
            run.unknownDays > 0 ? language("빗금: 차트 없음", "hatched: no chart") : nil,
            isProvisional ? language("빈 막대: 잠정", "hollow: provisional") : nil,
        ].compactMap(\.self).joined(separator: " · ")
        return """
            <svg class="run-plot" role="img" aria-labelledby="run-title run-text"><title id="run-title">\(title)</title>\
            <desc id="run-text">\(text)</desc><svg viewBox="0 0 \(days * 10) 200" preserveAspectRatio="none" width="100%" height="100%">\
            <defs><pattern id="unknown" width="8" height="8" patternUnits="userSpaceOnUse"><path d="M0 8 8 0"/></pattern></defs>\
            \(weekends)\(gaps(run, first, days))\(unknown(run, first, days))\(scale.lines)\(bars)\
            <polyline class="total" points="\(points.joined(separator: " "))"/>\(flags)</svg>\(scale.names)\(names)\
            <text class="total-name" x="\((x(last.day) + 10) * 10 / days)%" dx="-4" y="20%" dy="16" text-anchor="end">\
            \(language("누적", "total")) \(highest.withSeparators)</text></svg>
            \(frame.axis(first...end))            <p class="legend">\(text)<br>\(words)</p>

            """
    }

    /// Days whose chart is not archived.
    private func unknown(_ run: FilmRun, _ start: Day, _ days: Int) -> [HTML] {
        guard run.unknownDays > 0 else { return [] }
        var (rects, offset): ([HTML], Int) = ([], 0)
        while offset < days {
            let length = (offset..<days).prefix { run.unknown(start.advanced(by: $0)) }.count
            if length > 0 {
                rects.append("<rect class=\"no-chart\" x=\"\(offset * 10)\" width=\"\(length * 10)\" height=\"200\"/>")
            }
            offset += max(1, length)
        }
        return rects
    }

    /// Days without a row, with their sum.
    private func gaps(_ run: FilmRun, _ start: Day, _ days: Int) -> [HTML] {
        run.bands.compactMap { band in
            guard let first = band.first, first >= start, band.last.days(since: start) < days else { return nil }
            let width = (band.last.days(since: first) + 1) * 10
            let sum = band.audience.withSeparators
            return """
                <rect class="gap" x="\(first.days(since: start) * 10)" width="\(width)" height="200">\
                <title>\(first.iso) ~ \(band.last.iso): \(sum)</title></rect>
                """
        }
    }

    // MARK: Table

    private func table(_ run: FilmRun) -> HTML {
        let heads = [
            language("날짜", "Date"), language("개봉 후", "Day"), language("순위", "Rank"), language("관객", "Admissions"),
            language("누적", "Total"), language("스크린", "Screens"),
        ]
        let figures = Dictionary(run.days.map { ($0.row.day, $0) }, uniquingKeysWith: { $1 })
        let rows = run.lines.map { line -> HTML in
            switch line {
            case .row(let row, _):
                let entry = row.entry
                let link = frame.href(.chart(.daily(row.day), .list))
                return """
                    <tr><th scope="row"><a href="\(link)">\(row.day.iso)</a></th><td>\(release(figures[row.day]?.dayOfRelease))</td>\
                    <td>\(entry.rank)</td><td>\(entry.audience.withSeparators)\(row.isProvisional ? "*" : "")</td>\
                    <td>\(entry.audienceTotal.withSeparators)</td><td>\(entry.screens.withSeparators)</td></tr>

                    """
            case .proven(let day):
                return """
                    <tr><th scope="row">\(day.date.iso)</th><td>\(release(run.dayOfRelease(day.date)))</td>\
                    <td>\(run.unknown(day.date) ? "?" : "&gt;10" as HTML)</td><td>\(day.audience.withSeparators)</td>\
                    <td>\(day.audienceTotal.withSeparators)</td><td></td></tr>

                    """
            case .band(let band):
                let sum = band.audience == 0 ? "-" : band.audience.withSeparators
                let days = band.first.map { $0 == band.last ? $0.iso : "\($0) ~ \(band.last)" } ?? "~ \(band.last)"
                return """
                    <tr><th scope="row">\(days)</th><td></td><td>&gt;10</td><td>\(sum)</td><td></td><td></td></tr>

                    """
            }
        }
        let note = language(
            ">10: 10위 밖(기간의 합계). ?: 차트가 없는 날. *: 잠정",
            ">10: outside the top 10 (sum of the days). ?: no chart. *: provisional")
        return """
            <details><summary>\(language("일별 수치", "Daily figures"))</summary>
            <div class="scroll"><table class="figures-table"><thead><tr>\(heads.map { "<th scope=\"col\">\($0)</th>" as HTML })</tr></thead>
            <tbody>\(rows)</tbody></table></div>
            <p class="legend">\(note)</p></details>

            """
    }

    private func release(_ day: Int?) -> String { day.map(ChartWording(language: language).release) ?? "" }

    private func compare(_ run: FilmRun) -> HTML {
        """
        <form class="fields" action="/compare"><input type="hidden" name="film" value="\(run.code)">
        <label>\(language("비교할 영화", "Compare with")) <input name="film" maxlength="100" required></label>
        \(frame.languageField)<button>\(language("비교", "Compare"))</button></form>

        """
    }
}
