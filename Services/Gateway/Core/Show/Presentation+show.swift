import Assembly
import Domain
import Envelope
import Localization
import ProcessKit
import Records
import TerminalText
import Wording

extension Presentation {
    /// - Parameter pictures: the films' posters in the order of the assembly, for the grid; empty for none.
    func show(_ assembly: ShowAssembly, pictures: [TextPicture] = []) throws -> Answer {
        do {
            return try render(assembly, pictures)
        } catch is DecodingError {
            // A part that does not decode counts as missing; the other parts are shown.
            return try render(assembly.withoutUnreadableParts(), pictures)
        }
    }

    private func render(_ assembly: ShowAssembly, _ pictures: [TextPicture]) throws -> Answer {
        let failure = assembly.chart.value == nil ? assembly.chart.failure : nil
        let (notes, exitStatus) = ending(failure, isComplete: assembly.isComplete)
        if isJSON {
            return Answer(output: try AnswerJSON.show(assembly), notes: notes, exitStatus: exitStatus)
        }
        let films = try filmsWithParts(of: assembly)
        if format != .text {
            let records = try films.map { entry, parts in
                var record = FilmRecord(assembly.selection, entry: entry, source: assembly.chart.source)
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
        var lines = heading(.daily(assembly.date), assembly.chart, source: assembly.source)
        lines += try self.lines(
            films.map(\.entry), films.map(\.parts), assembly.date, source: assembly.chart.source, pictures: pictures)
        if let note = PartWording(language: language).incompleteness(assembly) { lines += [""] + wrapped([note]) }
        return Answer(lines: lines, notes: notes, exitStatus: exitStatus)
    }

    /// The films of the chart that the assembly has parts of, in the assembly's order.
    private func filmsWithParts(of assembly: ShowAssembly) throws -> [(entry: ChartEntry, parts: ShowAssembly.Film)] {
        guard let value = assembly.chart.value else { return [] }
        let entries = try JSONBytes.decode(Chart.self, from: value).entries
        let byCode = Dictionary(entries.map { ($0.code, $0) }, uniquingKeysWith: { first, _ in first })
        return assembly.films.compactMap { film in byCode[film.code].map { ($0, film) } }
    }

    /// - Parameter source: of the chart.
    private func lines(
        _ entries: [ChartEntry], _ parts: [ShowAssembly.Film], _ date: Day, source: DataSource?, pictures: [TextPicture]
    ) throws -> [String] {
        let film = filmText
        var text = chartText
        text.englishTitles = try englishTitles(parts)
        text.isGenuine = source != .demo
        var notes = FilmNotes(entries.map(\.rank), zip(entries, parts).map { film.notes($1) })
        if view == .grid {
            let captions = try parts.map { try film.caption(poster: $0.poster) }
            // A cell has no room for reasons.
            notes.shareAll()
            return ChartGrid(text: text).lines(entries, captions: captions, pictures: pictures) + sharedNotes(notes)
        }
        let table = view == .wide ? text.wide(entries) : text.list(entries)
        // The table may begin with a header.
        var lines = Array(table.lines.prefix(table.lines.count - entries.count))
        let indent = String(repeating: " ", count: table.start)
        let room = columns.map { max(1, $0 - table.start) }
        for (row, index) in zip(table.lines.suffix(entries.count), entries.indices) {
            lines.append(row)
            let isReentry = entries[index].isReentry(on: date)
            lines.append(indent + (try film.summary(parts[index], isReentry: isReentry, room: room).styled))
            lines += wrapped(notes.own[index].map { indent + $0 }, indent: table.start + 2)
        }
        return lines + sharedNotes(notes)
    }

    private func englishTitles(_ films: [ShowAssembly.Film]) throws -> [String: String] {
        guard language == .en else { return [:] }
        return try films.reduce(into: [:]) { titles, film in
            guard let value = film.detail?.value else { return }
            titles[film.code] = try JSONBytes.decode(FilmBrief.self, from: value).titleEnglish
        }
    }

    private func sharedNotes(_ notes: FilmNotes) -> [String] {
        let lines = notes.shared.map { PartWording(language: language).shared($0, ranks: $1) }
        return lines.isEmpty ? [] : [""] + wrapped(lines, indent: 2)
    }
}
