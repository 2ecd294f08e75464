/// Tables of text: the first column is left-aligned, the others right-aligned.
public enum TextTable {
    /// A label and a text per line; the texts are aligned.
    public static func labelled(_ rows: [(label: String, text: String)], _ width: TextWidth = .narrow) -> [String] {
        let widest = rows.map { width.columns($0.label) }.max() ?? 0
        return rows.map { "\(width.padded($0.label, to: widest))  \($0.text)" }
    }

    public static func lines(_ rows: [[String]]) -> [String] {
        let columns = rows.map(\.count).max() ?? 0
        let widths = (0..<columns).map { column in
            rows.map { $0.indices.contains(column) ? TextWidth.narrow.columns($0[column]) : 0 }.max() ?? 0
        }
        return rows.map { row in
            row.enumerated().map { column, cell in
                column == 0
                    ? TextWidth.narrow.padded(cell, to: widths[column])
                    : String(repeating: " ", count: widths[column] - TextWidth.narrow.columns(cell)) + cell
            }.joined(separator: "  ")
        }
    }
}

extension FixedWidthInteger {
    /// The number with a comma between each three digits: 1,234,567.
    public var withSeparators: String {
        let digits = String(magnitude)
        let grouped = digits.reversed().enumerated().reduce(into: "") { result, digit in
            if digit.offset > 0, digit.offset.isMultiple(of: 3) { result.append(",") }
            result.append(digit.element)
        }
        return (self < 0 ? "-" : "") + String(grouped.reversed())
    }
}
