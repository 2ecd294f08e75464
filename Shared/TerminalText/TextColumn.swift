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
