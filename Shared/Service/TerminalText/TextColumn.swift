/// One column of a table without borders.
public struct TextColumn: Sendable {
    public enum Alignment: Sendable {
        case leading, trailing
    }

    /// The priority of a column that is never left out.
    public static let required = Int.max

    let cells: [TextPiece]
    let narrower: [TextColumn]
    let alignment: Alignment
    let minimum: Int
    let priority: Int

    /// - Parameters:
    ///   - narrower: columns that replace this one on a narrow terminal, one after the other, before it is left out.
    ///   - minimum: minimum width in terminal columns.
    ///   - priority: on a narrow terminal the columns of the lowest priority are left out first, all together.
    public init(
        _ cells: [TextPiece], narrower: [TextColumn] = [], alignment: Alignment = .leading, minimum: Int = 0,
        priority: Int = required
    ) {
        self.cells = cells
        self.narrower = narrower
        self.alignment = alignment
        self.minimum = minimum
        self.priority = priority
    }

    /// The next narrower column with the priority of this one; nil when there is none.
    var narrowed: TextColumn? {
        narrower.first.map {
            TextColumn(
                $0.cells, narrower: Array(narrower.dropFirst()), alignment: $0.alignment, minimum: $0.minimum,
                priority: priority)
        }
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
        return alignment == .leading ? cell.styled + gap : gap + cell.styled
    }
}
