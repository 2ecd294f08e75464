import Domain
import Foundation
import Testing

extension ChartEntry {
    static func archived(audience: Int) -> ChartEntry {
        ChartEntry(
            rowNumber: 1, rank: 1, rankChange: 0, presence: .new, code: "2023C632", title: "밀수", openingDay: nil,
            salesAmount: 100, salesShare: 34.2, salesChange: -5, salesChangePercent: 122_279.3, salesTotal: 100,
            audience: audience, audienceChange: 0, audienceChangePercent: -15.3, audienceTotal: audience, screens: 0,
            showings: 0)
    }
}

/// The ten films of each day of February 2019, as KOBIS (영화진흥위원회 Open API) answers them years later.
enum ChartedMonth {
    static func charts() throws -> [(day: Day, entries: [ChartEntry])] {
        let url = try #require(
            Bundle.module.url(forResource: "days-2019-02", withExtension: "csv", subdirectory: "Fixtures"))
        return try charts(in: String(contentsOf: url, encoding: .utf8))
    }

    /// - Parameter text: the columns are those of KOBIS, and the nations; no text in it has a line break.
    static func charts(in text: String) throws -> [(day: Day, entries: [ChartEntry])] {
        var charts: [(day: Day, entries: [ChartEntry])] = []
        for line in text.split(whereSeparator: \.isNewline).dropFirst() {
            let cells = cells(of: line)
            let day = try #require(Day(compact: cells[0]))
            func number(_ index: Int) throws -> Int { try #require(Int(cells[index])) }
            func decimal(_ index: Int) throws -> Double { try #require(Double(cells[index])) }
            let entry = ChartEntry(
                rowNumber: try number(1), rank: try number(2), rankChange: try number(3),
                presence: cells[4] == "NEW" ? .new : .old, code: cells[5], title: cells[6],
                openingDay: Day(iso: cells[7]), salesAmount: Int64(try number(8)), salesShare: try decimal(9),
                salesChange: Int64(try number(10)), salesChangePercent: try decimal(11),
                salesTotal: Int64(try number(12)), audience: try number(13), audienceChange: try number(14),
                audienceChangePercent: try decimal(15), audienceTotal: try number(16), screens: try number(17),
                showings: try number(18))
            if charts.last?.day == day {
                charts[charts.count - 1].entries.append(entry)
            } else {
                charts.append((day, [entry]))
            }
        }
        return charts
    }

    /// Of each film, by its code.
    static func nations() throws -> [String: [String]] {
        let url = try #require(
            Bundle.module.url(forResource: "days-2019-02", withExtension: "csv", subdirectory: "Fixtures"))
        let lines = try String(contentsOf: url, encoding: .utf8).split(whereSeparator: \.isNewline).dropFirst()
        return lines.reduce(into: [:]) { nations, line in
            let cells = cells(of: line)
            nations[cells[5]] = cells[19].split(separator: "|").map(String.init)
        }
    }

    /// A cell in quotation marks may have commas.
    private static func cells(of line: Substring) -> [String] {
        let parts = line.split(separator: "\"", omittingEmptySubsequences: false)
        return parts.indices.reduce(into: [""]) { cells, index in
            let isQuoted = index % 2 == 1
            let pieces =
                isQuoted ? [parts[index]] : parts[index].split(separator: ",", omittingEmptySubsequences: false)
            cells[cells.count - 1] += pieces[0]
            cells += pieces.dropFirst().map(String.init)
        }
    }
}

extension String {
    /// A day in ISO form; the first day with a chart for other text, which no test expects.
    var day: Day { Day(iso: self) ?? .firstChart }
}
