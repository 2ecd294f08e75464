/// Dots on a grid of braille characters: two dots wide and four dots high each.
///
/// Braille has the same width in every terminal; blocks and lines are wide in some Korean ones.
public struct BraillePlot: Sendable {
    /// The bits of the dots of a character, by column and row.
    private static let bits: [[UInt32]] = [[0x01, 0x02, 0x04, 0x40], [0x08, 0x10, 0x20, 0x80]]

    /// Of dots.
    public let width: Int
    public let height: Int
    private var cells: [[UInt32]]

    /// - Parameters:
    ///   - columns: of the terminal.
    ///   - rows: of the terminal.
    public init(columns: Int, rows: Int) {
        (width, height) = (columns * 2, rows * 4)
        cells = Array(repeating: Array(repeating: 0, count: columns), count: rows)
    }

    /// Draws a dot; one outside the grid is left out.
    ///
    /// - Parameter y: 0 is the top.
    public mutating func draw(x: Int, y: Int) {
        guard (0..<width).contains(x), (0..<height).contains(y) else { return }
        cells[y / 4][x / 2] |= Self.bits[x % 2][y % 4]
    }

    /// Its lines, from the top.
    public var lines: [String] {
        cells.map { row in
            String(String.UnicodeScalarView(row.compactMap { Unicode.Scalar(0x2800 + $0) }))
        }
    }
}
