/// One column of a table without borders.
public struct TextColumn: Sendable {
    public enum Alignment: Sendable {
        case leading, trailing
    }

    let cells: [TextPiece]
    let alignment: Alignment
    let minimum: Int

    /// - Parameter minimum: minimum width in terminal columns.
    public init(_ cells: [TextPiece], alignment: Alignment = .leading, minimum: Int = 0) {
        self.cells = cells
        self.alignment = alignment
        self.minimum = minimum
    }

    func columns(_ width: TextWidth) -> Int {
        max(minimum, cells.map { width.columns($0.text) }.max() ?? 0)
    }

    /// A cell, padded to a width.
    func placed(_ row: Int, in columns: Int, _ width: TextWidth) -> String {
        let cell = cells[row]
        let gap = String(repeating: " ", count: max(0, columns - width.columns(cell.text)))
        return alignment == .leading ? cell.shown + gap : gap + cell.shown
    }
}

/// A table without borders, with one elastic column that is cut when the terminal is too narrow.
public struct TextColumns: Sendable {
    /// The lines, and the terminal column at which the elastic column begins.
    public struct Layout: Sendable {
        public let lines: [String]
        public let start: Int
    }

    private static let gap = 2
    /// The elastic column is not cut below this width if there is a narrower table.
    private static let fairShare = 16

    private let columns: [TextColumn]
    private let elastic: Int

    /// - Parameter elastic: index of the column that may be cut; its cells have no colours.
    public init(_ columns: [TextColumn], elastic: Int) {
        self.columns = columns
        self.elastic = elastic
    }

    /// The first table that fits, or the last one with its elastic column cut to fit.
    ///
    /// - Parameter limit: columns of the terminal; nil for no limit.
    public static func layout(_ tables: [TextColumns], limit: Int?, _ width: TextWidth) -> Layout {
        let fitting = limit.flatMap { limit in tables.first { $0.isFair(in: limit, width) } ?? tables.last }
        guard let table = limit == nil ? tables.first : fitting else { return Layout(lines: [], start: 0) }
        return table.layout(limit: limit, width)
    }

    private func isFair(in limit: Int, _ width: TextWidth) -> Bool {
        let own = columns[elastic].columns(width)
        return rest(width) + min(own, Self.fairShare) <= limit
    }

    /// Width of all columns except the elastic one, including the gaps.
    private func rest(_ width: TextWidth) -> Int {
        columns.indices.reduce(Self.gap * (columns.count - 1)) {
            $1 == elastic ? $0 : $0 + columns[$1].columns(width)
        }
    }

    private func layout(limit: Int?, _ width: TextWidth) -> Layout {
        var widths = columns.map { $0.columns(width) }
        if let limit { widths[elastic] = min(widths[elastic], max(1, limit - rest(width))) }
        var columns = columns
        columns[elastic] = TextColumn(
            columns[elastic].cells.map { TextPiece(width.prefix($0.text, columns: widths[elastic])) },
            alignment: columns[elastic].alignment)
        let count = columns.map(\.cells.count).min() ?? 0
        let lines = (0..<count).map { row in
            let cells = columns.indices.map { columns[$0].placed(row, in: widths[$0], width) }
            let line = cells.joined(separator: String(repeating: " ", count: Self.gap))
            return String(line[..<(line.lastIndex { $0 != " " }.map(line.index(after:)) ?? line.startIndex)])
        }
        return Layout(lines: lines, start: widths[..<elastic].reduce(0) { $0 + $1 + Self.gap })
    }
}
