import Assembly
import BoxOffice
import Envelope
import Localization
import ProcessKit
import TerminalText

extension Presentation {
    func show(_ assembly: ShowAssembly) throws -> Answer {
        do {
            return try render(assembly)
        } catch is DecodingError {
            // A part that does not decode counts as missing; the other parts are shown.
            return try render(assembly.withoutUnreadableParts())
        }
    }

    private func render(_ assembly: ShowAssembly) throws -> Answer {
        let failure = assembly.chart.value == nil ? assembly.chart.failure : nil
        let (notes, exitStatus) = ending(failure, isComplete: assembly.isComplete)
        if isJSON {
            return Answer(output: try AnswerJSON.show(assembly), notes: notes, exitStatus: exitStatus)
        }
        let films = try filmsWithParts(of: assembly)
        if format != .text {
            let records = try films.map { entry, parts in
                var record = FilmRecord(day: assembly.date, entry: entry)
                try record.take(detail: parts.detail)
                try record.take(poster: parts.poster)
                return record
            }
            return try answer(
                records, FilmRecord.showFields, asked: ("targetDate", assembly.date.iso),
                isComplete: assembly.isComplete,
                failure)
        }
        guard assembly.chart.value != nil else { return Answer(notes: notes, exitStatus: exitStatus) }
        var lines = heading(.daily(assembly.date), assembly.chart)
        lines += try self.lines(films.map(\.entry), films.map(\.parts), assembly.date)
        if !assembly.isComplete {
            lines += ["", incompletenessNote(assembly)]
        }
        return Answer(lines: lines, notes: notes, exitStatus: exitStatus)
    }

    /// The films of the chart that the assembly has parts of, in the assembly's order.
    private func filmsWithParts(of assembly: ShowAssembly) throws -> [(entry: ChartEntry, parts: ShowAssembly.Film)] {
        guard let value = assembly.chart.value else { return [] }
        let entries = try JSONBytes.decode(Chart.self, from: value).entries
        let byCode = Dictionary(entries.map { ($0.code, $0) }, uniquingKeysWith: { first, _ in first })
        return assembly.films.compactMap { film in byCode[film.code].map { ($0, film) } }
    }

    private func lines(_ entries: [ChartEntry], _ parts: [ShowAssembly.Film], _ date: Day) throws -> [String] {
        let film = FilmText(language: language)
        let text = chartText
        if view == .grid {
            let captions = try parts.map { try film.caption(poster: $0.poster) }
            // A cell has no room for failure reasons; they are listed below the grid, each with its film.
            let reasons = try zip(entries, parts).flatMap { entry, parts in
                try film.summary(detail: parts.detail, poster: parts.poster).notes.map {
                    "\(entry.rank)  \(entry.title.printable): \($0)"
                }
            }
            return ChartGrid(text: text).lines(entries, captions: captions) + (reasons.isEmpty ? [] : [""] + reasons)
        }
        let table = view == .wide ? text.wide(entries) : text.list(entries)
        // The table may begin with a header.
        var lines = Array(table.lines.prefix(table.lines.count - entries.count))
        let indent = String(repeating: " ", count: table.start)
        let room = columns.map { max(1, $0 - table.start) }
        for (row, (entry, parts)) in zip(table.lines.suffix(entries.count), zip(entries, parts)) {
            lines.append(row)
            let (summary, notes) = try film.summary(
                detail: parts.detail, poster: parts.poster, isReentry: entry.isReentry(on: date))
            if let summary { lines.append(indent + (room.map { width.prefix(summary, columns: $0) } ?? summary)) }
            lines += notes.map { indent + $0 }
        }
        return lines
    }

    private func incompletenessNote(_ assembly: ShowAssembly) -> String {
        let stale = assembly.parts.count { $0.status == .stale }
        let bad = assembly.missing.count + assembly.parts.count { $0.status != .ok }
        if bad == stale {
            return language(
                "모두 도착했지만 \(stale)개 부분은 오래된 자료입니다.",
                "All parts arrived, but \(stale == 1 ? "1 is" : "\(stale) are") stale.")
        }
        let parts = bad == 1 ? "1 part has" : "\(bad) parts have"
        return language("일부만 도착했습니다: \(bad)개 부분에 문제가 있습니다.", "Partial answer: \(parts) a problem.")
    }
}
