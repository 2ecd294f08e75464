import Domain
import Localization
import ProcessKit
import TerminalText

/// The films of a chart as a grid of cells that fits the terminal's width.
struct ChartGrid {
    private static let cell = 24
    private static let gap = 2
    /// The largest size of a poster within a cell; two glyphs beside each other are as wide as one is high.
    static let pictureSize = (columns: 22, lines: 15)
    /// The width without a terminal, as in a pipe.
    private static let usualColumns = 80

    let text: ChartText

    /// - Parameters:
    ///   - captions: a last line for each film, such as its poster's site; empty for none.
    ///   - pictures: the posters; empty for none.
    func lines(
        _ entries: [ChartEntry], captions: [String] = [], pictures: [TextPicture] = [], of kind: ChartKind = .daily
    ) -> [String] {
        let columns = text.columns ?? Self.usualColumns
        let cell = min(Self.cell, columns)
        let perRow = max(1, (columns + Self.gap) / (cell + Self.gap))
        // A terminal too narrow for a picture shows none.
        let height = cell < Self.pictureSize.columns ? 0 : pictures.map(\.lines.count).max() ?? 0
        let cells = entries.enumerated().map { index, entry in
            let picture = pictures.indices.contains(index) ? pictures[index].lines : []
            let blank = [TextPiece](repeating: TextPiece(""), count: height - min(height, picture.count))
            let caption = captions.indices.contains(index) ? captions[index] : nil
            return Array(picture.prefix(height)) + blank + lines(entry, kind, caption: caption, in: cell)
        }
        return stride(from: 0, to: cells.count, by: perRow).flatMap { start in
            let row = cells[start..<min(start + perRow, cells.count)]
            return (row.startIndex == 0 ? [] : [""]) + joined(Array(row), cell)
        }
    }

    private func lines(_ entry: ChartEntry, _ kind: ChartKind, caption: String?, in cell: Int) -> [TextPiece] {
        let language = text.language
        let plain = [
            "\(text.period(kind)) \(entry.audience.withSeparators)",
            "\(language("총", "total")) \(entry.audienceTotal.withSeparators)",
        ]
        let movement = text.movement(entry)
        let head = TextPiece("\(entry.rank)  \(movement.text)") { _ in "\(entry.rank)  \(movement.styled)" }
        return [head, text.titlePiece(entry).cut(to: cell, text.width)]
            + (plain + [caption].compactMap(\.self)).map { TextPiece(text.width.prefix($0, columns: cell)) }
    }

    private func joined(_ cells: [[TextPiece]], _ cell: Int) -> [String] {
        (0..<(cells.map(\.count).max() ?? 0)).map { line in
            let pieces = cells.map { $0.indices.contains(line) ? $0[line] : TextPiece("") }
            let padded = pieces.dropLast().map { piece in
                piece.styled + String(repeating: " ", count: max(0, cell + Self.gap - text.width.columns(piece.text)))
            }
            return padded.joined() + (pieces.last?.styled ?? "")
        }
    }
}
