import Contracts
import Domain
import Envelope
import Localization
import Wording

/// The page of a month or a year: the films that gained most, the ten's admissions, and who led each week.
struct RangePage {
    let frame: PageFrame
    let posters: PosterUse

    private var language: Language { frame.language }
    private var wording: ChartWording { ChartWording(language: language) }

    /// What the archive knows of the range.
    struct Answers {
        let top: ArchiveTopReply
        let leaders: ArchiveLeadersReply
        /// Of the whole range.
        let share: AudienceShare?
        /// The stored posters of the films, by code.
        let posters: [String: Poster]
    }

    func month(_ month: Month, _ answers: Answers, how: PageLink?) -> [UInt8] {
        func link(_ month: Month) -> PageLink? {
            isCharted(month.days) ? frame.link(.month(month), wording.month(month)) : nil
        }
        let links = [
            frame.link(.calendar(month), language("달력", "Calendar")),
            frame.link(.year(month.year), wording.year(month.year)),
        ]
        return html(
            .month(month), title: wording.month(month), answers, previous: link(month.previous), next: link(month.next),
            links: links, how: how)
    }

    func year(_ year: Int, _ answers: Answers, how: PageLink?) -> [UInt8] {
        func link(_ year: Int) -> PageLink? {
            guard let days = ChartPeriod.year(named: "\(year)"), isCharted(days) else { return nil }
            return frame.link(.year(year), wording.year(year))
        }
        let months = (ChartPeriod.year(named: "\(year)").map { ChartPeriod.month.all(in: $0) } ?? [])
            .filter(isCharted).map { days in
                frame.link(
                    .month(Month(of: days.lowerBound)),
                    language(
                        "\(Month(of: days.lowerBound).number)월",
                        String(wording.month(Month(of: days.lowerBound)).prefix(3))))
            }
        return html(
            .year(year), title: wording.year(year), answers, previous: link(year - 1), next: link(year + 1),
            links: months, how: how)
    }

    private func isCharted(_ days: ClosedRange<Day>) -> Bool { days.overlaps(.firstChart...frame.yesterday) }

    private func html(
        _ address: PageAddress, title: String, _ answers: Answers, previous: PageLink?, next: PageLink?,
        links: [PageLink], how: PageLink?
    ) -> [UInt8] {
        let basis = answers.top.basis
        let leader = answers.top.films.first.map { "1. \($0.title)" } ?? ""
        let isPartial = basis.known < basis.charts
        return frame.page(
            PageHead(
                address: address, title: title, description: "\(title) \(wording.title(.daily)) \(leader)",
                date: min(max(basis.first, .firstChart), frame.yesterday), script: frame.assets.keysScript),
            """
            <div class="head"><p class="kind">\(wording.title(.daily))</p><h1>\(title)</h1>
            <p class="state">\(coverage(basis))\(frame.label(basis.source).map { " · \($0)" })</p></div>
            \(isPartial && basis.known > 0 ? frame.notes([partial]) : nil)\
            \(arrows(previous, next))<p class="links">\(links.map { "<a href=\"\($0.href)\">\($0.text)</a> " as HTML })</p>
            \(top(answers))\(strip(answers.leaders))\(share(answers.share))\(weeks(answers.leaders))\(frame.how(how))
            """)
    }

    private func arrows(_ previous: PageLink?, _ next: PageLink?) -> HTML {
        frame.arrows(
            language("다른 기간", "Other periods"),
            previous: previous.map { "<a rel=\"prev\" href=\"\($0.href)\">‹ \($0.text)</a>" },
            next: next.map { "<a rel=\"next\" href=\"\($0.href)\">\($0.text) ›</a>" })
    }

    private var partial: String {
        language("차트가 없는 날이 있어 일부 기간만 집계했습니다.", "Some charts are missing: the figures cover only part of the period.")
    }

    /// A week that is not whole in the range.
    private func part(_ week: WeekLeader, in days: ClosedRange<Day>) -> String {
        let count = Week(of: week.first).days.clamped(to: days).count
        return count < 7 ? language(" (\(count)일)", count == 1 ? " (1 day)" : " (\(count) days)") : ""
    }

    /// On how many days' charts the page rests.
    private func coverage(_ basis: ArchiveBasis) -> String {
        let (known, charts) = (basis.known.withSeparators, basis.charts.withSeparators)
        if basis.chart == .weekly {
            return language("주간 차트 \(known)개 기준", "based on \(known) weekly charts")
        }
        return basis.known == basis.charts
            ? language("\(charts)일 치 차트를 모두 반영", "all \(charts) days")
            : language("\(charts)일 중 \(known)일의 차트 기준", "\(known) of \(charts) days available")
    }

    // MARK: Films

    private func top(_ answers: Answers) -> HTML {
        guard !answers.top.films.isEmpty else {
            return
                "<p class=\"note\">\(language("이 기간의 차트가 아직 저장되지 않았습니다.", "No chart of these days is archived yet."))</p>\n"
        }
        let isBound = answers.top.films.contains { !$0.isExact }
        let note: HTML? =
            isBound
            ? "<p class=\"legend\">\(language("≥: 최소 관객 수. 10위 밖이거나 차트가 없는 날의 관객은 빠질 수 있습니다.", "≥: at least; days outside the top 10 or without a chart may be missing."))</p>\n"
            : nil
        let films = answers.top.films.enumerated().map {
            film($0 + 1, $1, answers.posters[$1.code], most: answers.top.films[0].audience, answers.top.basis.chart)
        }
        return """
            <h2>\(language("기간 관객 순위", "Most admissions"))</h2>
            <ol class="ranked">
            \(films)</ol>
            \(note)
            """
    }

    /// - Parameter kind: of the charts that its figures rest on.
    private func film(_ place: Int, _ gain: FilmGain, _ poster: Poster?, most: Int, _ kind: ChartKind) -> HTML {
        let link = frame.href(.film(gain.code))
        let image = posters == .proxy ? poster.map { frame.image(of: $0, code: gain.code) } : nil
        let picture = frame.thumbnail(image, gain.title)
        let opening: HTML? = gain.openingDay.map { "\(language("\($0) 개봉", "opened \($0)")) · " }
        let unit = kind == .weekly ? (ko: "주", en: "week") : (ko: "일", en: "day")
        let charts = language(
            "10위권 \(gain.charts)\(unit.ko)", "\(gain.charts) \(unit.en)\(gain.charts == 1 ? "" : "s") in the top 10")
        return """
            <li><span class="place">\(place)</span>\(picture)<div><a href="\(link)">\(frame.title(of: gain.code, gain.title))</a>
            <p class="summary">\(opening)\(charts)</p>\(bar(gain.audience, of: most))</div>
            <p class="figure">\(gain.isExact ? "=" : "≥") \(gain.audience.withSeparators)</p></li>

            """
    }

    private func bar(_ audience: Int, of most: Int) -> HTML {
        """
        <svg class="quiet" viewBox="0 0 100 1" preserveAspectRatio="none" aria-hidden="true">\
        <rect class="bar" width="\(SVG.share(audience, of: most, in: 100))" height="1"/></svg>
        """
    }

    // MARK: Days

    /// The ten's admissions of each day.
    private func strip(_ leaders: ArchiveLeadersReply) -> HTML? {
        let days = leaders.basis.days
        guard let most = leaders.days.map(\.topAudience).max(), most > 0 else { return nil }
        let bars = leaders.days.map { day -> HTML in
            let height = SVG.share(day.topAudience, of: most, in: 90)
            let x = day.day.days(since: days.lowerBound)
            let style = day.isProvisional ? "bar hollow" : "bar"
            return "<rect class=\"\(style)\" x=\"\(x)\" y=\"\(100 - height)\" width=\"1\" height=\"\(height)\"/>"
        }
        let unknown = gaps(leaders)
        let scale = SVG.scale(most, width: days.count, height: 100, share: 90, RunWording(language: language).short)
        let title = language("10위권 일별 관객", "Daily admissions of the top 10")
        let best = leaders.days.max { $0.topAudience < $1.topAudience }
        let text = best.map {
            language(
                "저장된 차트 중 가장 많은 날: \(wording.shortDay($0.day)), \($0.topAudience.withSeparators)명",
                "Peak: \($0.topAudience.withSeparators) admissions, \(wording.shortDay($0.day))")
        }
        let rows = leaders.days.map { day -> HTML in
            """
            <tr><th scope="row"><a href="\(frame.href(.chart(.daily(day.day), .list)))">\(day.day.iso)</a></th>\
            <td class="text">\(day.code.map { frame.title(of: $0, day.title ?? "") } ?? "-")</td><td>\(day.topAudience.withSeparators)</td></tr>

            """
        }
        return """
            <h2>\(title)</h2>
            <svg class="strip" role="img" aria-labelledby="strip-title strip-text"><title id="strip-title">\(title)</title>\
            <desc id="strip-text">\(text ?? "")</desc><svg viewBox="0 0 \(days.count) 100" preserveAspectRatio="none" \
            width="100%" height="100%">\(unknown)\(scale.lines)\(bars)</svg>\(scale.names)</svg>
            \(frame.axis(days))            <p class="legend">\(text ?? "")\(unknown.isEmpty ? "" : language(" · 바탕색: 저장된 차트 없음", " · shaded: no archived chart"))</p>
            <details><summary>\(language("일별 수치", "Daily figures"))</summary><div class="scroll"><table class="figures-table">
            <thead><tr><th scope="col">\(language("날짜", "Date"))</th><th scope="col" class="text">\(language("1위", "No. 1"))</th>\
            <th scope="col">\(language("10위권 관객", "Top 10"))</th></tr></thead>
            <tbody>\(rows)</tbody></table></div></details>

            """
    }

    /// The days without a known chart.
    private func gaps(_ leaders: ArchiveLeadersReply) -> [HTML] {
        let days = leaders.basis.days
        // A message may contain any days: those outside the range have no place.
        let known = leaders.days.map(\.day).filter(days.contains)
        let starts = [days.lowerBound] + known.map { $0.advanced(by: 1) }
        let ends = known.map { $0.advanced(by: -1) } + [days.upperBound]
        return zip(starts, ends).filter { $0 <= $1 }.map { first, last in
            let x = first.days(since: days.lowerBound)
            return "<rect class=\"gap\" x=\"\(x)\" width=\"\(last.days(since: first) + 1)\" height=\"100\"/>"
        }
    }

    private func share(_ share: AudienceShare?) -> HTML? {
        guard let share, share.audience > 0 else { return nil }
        let names = NationWording(language: language)
        var x = 0
        let parts = NationGroup.allCases.compactMap { group -> HTML? in
            let width = SVG.share(share[group], of: share.audience, in: 1000)
            defer { x += width }
            return width > 0 ? "<rect class=\"\(group.rawValue)\" x=\"\(x)\" width=\"\(width)\" height=\"1\"/>" : nil
        }
        let words = NationGroup.allCases.compactMap { group in
            share[group] == 0 ? nil : share.percent(group).map { "\(names.name(group)) \($0)%" }
        }
        let title = language("10위권 관객: 한국영화와 외국영화", "Top 10 admissions of Korean and foreign films")
        return """
            <h2>\(title)</h2>
            <svg class="shares" viewBox="0 0 1000 1" preserveAspectRatio="none" role="img" aria-label="\(words.joined(separator: ", "))"><title>\(title)</title>\(parts)</svg>
            <p>\(words.joined(separator: " · "))</p>

            """
    }

    private func weeks(_ leaders: ArchiveLeadersReply) -> HTML? {
        guard !leaders.weeks.isEmpty else { return nil }
        let rows = leaders.weeks.map { week -> HTML in
            let chart = PageAddress.chart(ChartSelection(.weekly, around: week.first), .list)
            return """
                <tr><th scope="row"><a href="\(frame.href(chart))">\(wording.shortDays(Week(of: week.first).days))</a>\(part(week, in: leaders.basis.days))</th>\
                <td class="text"><a href="\(frame.href(.film(week.code)))">\(frame.title(of: week.code, week.title))</a></td>\
                <td>\(week.audience.withSeparators)</td></tr>

                """
        }
        return """
            <h2>\(language("주별 1위", "No. 1 of each week"))</h2>
            <div class="scroll"><table class="figures-table narrow">
            <thead><tr><th scope="col">\(language("주", "Week"))</th><th scope="col" class="text">\(language("영화", "Film"))</th>\
            <th scope="col">\(language("관객", "Admissions"))</th></tr></thead>
            <tbody>\(rows)</tbody></table></div>

            """
    }
}

/// Numbers of SVG, from figures that may be anything.
enum SVG {
    /// At most four round figures up to the highest one.
    static func ticks(upTo most: Int) -> [Int] {
        guard most > 0 else { return [] }
        var unit = 1
        while most / unit >= 10, unit < .max / 100 { unit *= 10 }
        let step = [unit / 2, unit].first { $0 > 0 && most / $0 <= 4 } ?? 2 * unit
        return Array(stride(from: step, through: most, by: step).prefix(9))
    }

    /// The lines of a plot at round figures, and their names for the element around it.
    ///
    /// - Parameters:
    ///   - width: of the plot, in its units.
    ///   - share: the part of the height that the highest figure has, in percent.
    static func scale(_ most: Int, width: Int, height: Int, share: Int, _ name: (Int) -> String) -> (
        lines: HTML, names: HTML
    ) {
        let ticks = ticks(upTo: most).map { figure in (figure, Self.share(figure, of: most, in: share * 10)) }
        let lines = ticks.map { _, tenths -> HTML in
            let y = height * (1000 - tenths) / 1000
            return "<line class=\"grid-line\" x1=\"0\" x2=\"\(width)\" y1=\"\(y)\" y2=\"\(y)\"/>"
        }
        let names = ticks.map { figure, tenths -> HTML in
            let place = 1000 - tenths
            return
                "<text class=\"tick\" x=\"0\" dx=\"2\" dy=\"-3\" y=\"\(place / 10).\(place % 10)%\">\(name(figure))</text>"
        }
        return ("\(lines)", "\(names)")
    }

    /// A figure's part of the highest one, in whole units.
    static func share(_ figure: Int, of most: Int, in units: Int) -> Int {
        guard most > 0 else { return 0 }
        return min(max(Int((Double(max(0, figure)) / Double(most) * Double(units)).rounded()), 0), units)
    }
}
