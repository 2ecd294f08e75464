/// A table without borders that fits its terminal: columns are left out by priority, and one elastic column is cut.
public struct TextTable: Sendable {
    /// The lines, and the terminal column at which the elastic column begins.
    public struct Layout: Sendable {
        public let lines: [String]
        public let start: Int
    }

    private static let gap = 2
    /// The elastic column is not cut below this width while another column can be left out.
    private static let fairShare = 16

    private let columns: [TextColumn]
    private let elastic: Int

    /// - Parameter elastic: index of the column that may be cut; it is never left out.
    public init(_ columns: [TextColumn], elastic: Int = 0) {
        self.columns = columns
        self.elastic = elastic
    }

    /// A table of figures: its first column is elastic and left-aligned, the others are right-aligned.
    ///
    /// - Parameters:
    ///   - rows: the header first.
    ///   - priorities: of the columns after the first.
    public init(_ rows: [[String]], priorities: [Int]) {
        columns = ([TextColumn.required] + priorities).enumerated().map { index, priority in
            TextColumn(
                rows.map { TextPiece(index < $0.count ? $0[index] : "") },
                alignment: index == 0 ? .leading : .trailing, priority: priority)
        }
        elastic = 0
    }

    /// - Parameter limit: columns of the terminal; nil for no limit.
    public func layout(limit: Int?, _ width: TextWidth = .narrow) -> Layout {
        var kept = columns.enumerated().map { (column: $1, isElastic: $0 == elastic) }
        guard !kept.isEmpty else { return Layout(lines: [], start: 0) }
        while let limit, !Self.isFair(kept, in: limit, width) {
            let optional = kept.filter { $0.column.priority < TextColumn.required && !$0.isElastic }
            guard let lowest = optional.map(\.column.priority).min() else { break }
            if optional.contains(where: { $0.column.priority == lowest && $0.column.narrowed != nil }) {
                kept = kept.map { $0.column.priority == lowest ? ($0.column.narrowed ?? $0.column, $0.isElastic) : $0 }
            } else {
                kept.removeAll { $0.column.priority == lowest && !$0.isElastic }
            }
        }
        return Self.layout(kept, limit: limit, width)
    }

    private typealias Kept = [(column: TextColumn, isElastic: Bool)]

    /// Whether the elastic column has its share of the line, or all that it needs.
    private static func isFair(_ kept: Kept, in limit: Int, _ width: TextWidth) -> Bool {
        kept.reduce(gap * (kept.count - 1)) { sum, item in
            let own = item.column.columns(width)
            return sum + (item.isElastic ? min(own, fairShare) : own)
        } <= limit
    }

    private static func layout(_ kept: Kept, limit: Int?, _ width: TextWidth) -> Layout {
        var widths = kept.map { $0.column.columns(width) }
        var columns = kept.map(\.column)
        let elastic = kept.firstIndex(where: \.isElastic) ?? 0
        if let limit {
            let rest = widths.reduce(gap * (kept.count - 1), +) - widths[elastic]
            widths[elastic] = min(widths[elastic], max(1, limit - rest))
            columns[elastic] = columns[elastic].cut(to: widths[elastic], width)
        }
        let count = columns.map(\.cells.count).min() ?? 0
        let lines = (0..<count).map { row in
            let cells = columns.indices.map { columns[$0].placed(row, in: widths[$0], width) }
            let line = cells.joined(separator: String(repeating: " ", count: gap))
            return String(line[..<(line.lastIndex { $0 != " " }.map(line.index(after:)) ?? line.startIndex)])
        }
        return Layout(lines: lines, start: widths[..<elastic].reduce(0) { $0 + $1 + gap })
    }
}

extension TextTable {
    /// A text of fewer columns stands below its label.
    private static let leastText = 14

    /// A label and a text per line. The texts are aligned, and continue below each other on a narrow terminal.
    ///
    /// - Parameter columns: width of the terminal; nil never breaks.
    public static func labelled(
        _ rows: [(label: String, text: String)], columns: Int?, _ width: TextWidth = .narrow
    ) -> [String] {
        let indent = (rows.map { width.columns($0.label) }.max() ?? 0) + gap
        return rows.flatMap { row in
            if let columns, columns - indent < leastText {
                return width.wrap(row.label, columns: columns)
                    + width.wrap("  \(row.text)", columns: columns, indent: 2)
            }
            return width.wrap(width.padded(row.label, to: indent) + row.text, columns: columns, indent: indent)
        }
    }
}
