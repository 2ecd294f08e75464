import Domain
import Envelope
import Localization
import ProcessKit
import TerminalText
import Wording

/// A film's run as text: its figures, a plot, and a line a day.
struct RunText {
    let language: Language
    let style: TextStyle
    let width: TextWidth
    /// Columns of the terminal; nil without a limit.
    let columns: Int?
    let title: String
    /// The last day that was asked for, when later ones have charts.
    let end: Day?

    func lines(_ run: FilmRun, source: DataSource?) -> [String] {
        let fields = RunWording(language: language).fields(run)
        let plot = RunPlot(language: language, style: style, columns: columns).lines(run)
        return [heading(run, source: source), ""] + TextTable.labelled(fields, columns: columns, width)
            + (plot.isEmpty ? [] : [""] + plot) + [""] + table(run) + notes(run)
    }

    private func heading(_ run: FilmRun, source: DataSource?) -> String {
        let opening = run.openingDay.map { language("\($0) 개봉", "opened \($0)") }
        let rerelease = run.isRerelease ? language("\(run.firstDay) 재개봉", "re-released \(run.firstDay)") : nil
        let words = [run.code.printable, opening, rerelease, source?.label?(language)].compactMap(\.self)
        return [TextPiece(title), TextPiece(words.joined(separator: " · "), style: style.dim)]
            .joined(columns: columns, indent: 0, width)
    }

    // MARK: Days

    /// Of the columns after the day, in their order.
    private static let priorities = [5, 9, 10, 7, 8, 6, 4, 3, 2]

    private func table(_ run: FilmRun) -> [String] {
        let head = [
            language("날짜", "date"), language("개봉 후", "day"), language("순위", "rank"), language("관객", "admissions"),
            language("전주 대비", "vs. last week"), language("누적", "total"), language("정정", "corrected"),
            language("스크린", "screens"), language("스크린당", "per screen"), language("객단가(원)", "price (₩)"),
        ]
        let figures = Dictionary(uniqueKeysWithValues: run.days.map { ($0.row.day, $0) })
        var rows = run.lines.map { row($0, run, figures) }
        var (head2, priorities) = (head, Self.priorities)
        // Most runs have no correction.
        if rows.allSatisfy({ $0[6].isEmpty }) {
            head2.remove(at: 6)
            priorities.remove(at: 5)
            rows = rows.map { Array($0[..<6] + $0[7...]) }
        }
        return TextTable([head2] + rows, priorities: priorities).layout(limit: columns, width).lines
    }

    private func row(_ line: FilmRun.Line, _ run: FilmRun, _ figures: [Day: FilmRun.DayFigures]) -> [String] {
        switch line {
        case .row(let row, _):
            let (entry, day) = (row.entry, figures[row.day])
            return [
                date(row.day), release(day?.dayOfRelease), "\(entry.rank)",
                entry.audience.withSeparators + (row.isProvisional ? "*" : ""), week(day),
                entry.audienceTotal.withSeparators, correction(day?.correction ?? 0), entry.screens.withSeparators,
                row.audiencePerScreen.map(whole) ?? "", row.averagePrice.map(whole) ?? "",
            ]
        case .proven(let day):
            return [
                date(day.date), release(run.dayOfRelease(day.date)), outside(run.unknown(day.date)),
                day.audience.withSeparators, "", day.audienceTotal.withSeparators, "", "", "", "",
            ]
        case .band(let band):
            // Corrections of earlier days may leave nothing for its own, or less.
            let sum = band.audience.withSeparators
            let audience = band.audience == 0 ? "-" : band.audience > 0 ? "\(sum)+" : sum
            return [days(band), "", outside(hasUnknown(band, run)), audience, "", "", "", "", "", ""]
        }
    }

    private func date(_ day: Day) -> String {
        let weekday = ChartWording(language: language).weekday(day)
        return "\(day) \(weekday.prefix(language == .ko ? 1 : 3))"
    }

    private func days(_ band: FilmRun.Band) -> String {
        guard let first = band.first else { return "~ \(band.last)" }
        guard first != band.last else { return date(first) }
        let isSameYear = first.components.year == band.last.components.year
        return "\(first) ~ \(isSameYear ? String(band.last.iso.dropFirst(5)) : band.last.iso)"
    }

    /// Days since the release: D-1 is a preview.
    private func release(_ day: Int?) -> String { day.map(ChartWording(language: language).release) ?? "" }

    private func outside(_ isUnknown: Bool) -> String { isUnknown ? "?" : ">10" }

    /// Before the first row, all days until then count.
    private func hasUnknown(_ band: FilmRun.Band, _ run: FilmRun) -> Bool {
        band.unknownDays.map { $0 > 0 } ?? run.unknown.contains { $0.lowerBound <= band.last }
    }

    /// Nothing in the first week of release: a week before were previews.
    private func week(_ day: FilmRun.DayFigures?) -> String {
        guard let day, let before = day.audienceWeekBefore, before > 0, !(0..<7).contains(day.dayOfRelease ?? -1)
        else { return "" }
        let percent = (Double(day.row.entry.audience) / Double(before) - 1) * 1000
        let tenths = percent.rounded()
        return (tenths > 0 ? "+" : "") + "\(tenths == 0 ? 0 : tenths / 10)%"
    }

    private func correction(_ number: Int) -> String {
        number == 0 ? "" : number > 0 ? "+\(number.withSeparators)" : number.withSeparators
    }

    private func whole(_ number: Double) -> String { Int(exactly: number.rounded())?.withSeparators ?? "\(number)" }

    // MARK: Notes

    private func notes(_ run: FilmRun) -> [String] {
        let lines = run.lines
        var notes: [String] = []
        if let end {
            notes.append(
                language(
                    "\(end)까지의 흥행입니다. 전체: \(Installation.gateway) run \(run.code.printable)",
                    "Until \(end). The whole run: \(Installation.gateway) run \(run.code.printable)"))
        }
        if !run.bands.isEmpty || !run.provenDays.isEmpty {
            notes.append(
                language(
                    ">10: 10위 밖. 관객 수는 다음에 진입한 날의 누적 관객으로 계산", ">10: outside the top 10; computed from the next chart"))
        }
        if lines.contains(where: isUnknown(run)) {
            notes.append(language("?: 차트가 없는 날", "?: days without a chart"))
        }
        if run.bands.contains(where: { $0.audience > 0 }) {
            notes.append(
                language(
                    "+: 기간의 합계. KOBIS가 이전 날짜를 정정한 수 포함",
                    "+: derived from the totals; may include KOBIS corrections of earlier days"))
        }
        if run.rows.contains(where: \.isProvisional) { notes.append(language("*: 잠정", "*: provisional")) }
        guard !notes.isEmpty else { return [] }
        return [""] + notes.flatMap { width.wrap($0, columns: columns, indent: 2) }.map(style.dim)
    }

    private func isUnknown(_ run: FilmRun) -> (FilmRun.Line) -> Bool {
        { line in
            switch line {
            case .row: false
            case .proven(let day): run.unknown(day.date)
            case .band(let band): hasUnknown(band, run)
            }
        }
    }
}
