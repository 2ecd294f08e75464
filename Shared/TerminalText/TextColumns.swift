/// A table without borders, one of whose columns may be cut where a terminal is too narrow.
public struct TextColumns: Sendable {
    /// The lines, and at which column of the terminal the elastic one begins.
    public struct Layout: Sendable {
        public let lines: [String]
        public let start: Int
    }

    private static let gap = 2
    /// An elastic column is not cut below this while there is a narrower table.
    private static let fairShare = 16

    private let columns: [TextColumn]
    private let elastic: Int

    /// - Parameter elastic: which column is cut when it must be; its cells have no colours.
    public init(_ columns: [TextColumn], elastic: Int) {
        self.columns = columns
        self.elastic = elastic
    }

    /// The first table that fits, or the last one with its elastic column cut as much as it takes.
    ///
    /// - Parameter limit: columns of the terminal; nil for as many as it takes.
    public static func layout(_ tables: [TextColumns], limit: Int?, _ width: TextWidth) -> Layout {
        let fitting = limit.flatMap { limit in tables.first { $0.isFair(in: limit, width) } ?? tables.last }
        guard let table = limit == nil ? tables.first : fitting else { return Layout(lines: [], start: 0) }
        return table.layout(limit: limit, width)
    }

    private func isFair(in limit: Int, _ width: TextWidth) -> Bool {
        let own = columns[elastic].columns(width)
        return rest(width) + min(own, Self.fairShare) <= limit
    }

    /// What all columns but the elastic one take, and what lies between them.
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
