/// One column of a table without borders.
public struct TextColumn: Sendable {
    public enum Alignment: Sendable {
        case leading, trailing
    }

    /// The priority of a column that is never left out.
    public static let required = Int.max

    let cells: [TextPiece]
    let shorterCells: [TextPiece]?
    let alignment: Alignment
    let minimum: Int
    let priority: Int

    /// - Parameters:
    ///   - shorterCells: cells that replace the others on a narrow terminal, before the column is left out.
    ///   - minimum: minimum width in terminal columns.
    ///   - priority: on a narrow terminal the columns of the lowest priority are left out first, all together.
    public init(
        _ cells: [TextPiece], shorterCells: [TextPiece]? = nil, alignment: Alignment = .leading, minimum: Int = 0,
        priority: Int = required
    ) {
        self.cells = cells
        self.shorterCells = shorterCells
        self.alignment = alignment
        self.minimum = minimum
        self.priority = priority
    }

    /// The column with its shorter cells; nil when there are none.
    var shortened: TextColumn? {
        shorterCells.map { TextColumn($0, alignment: alignment, minimum: minimum, priority: priority) }
    }

    /// The column with cells that are cut to a width.
    func cut(to columns: Int, _ width: TextWidth) -> TextColumn {
        let cells = cells.map { $0.cut(to: columns, width) }
        return TextColumn(cells, alignment: alignment)
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
