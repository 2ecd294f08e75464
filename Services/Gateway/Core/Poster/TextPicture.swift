import Assembly
import Domain
import Envelope
import TerminalText

/// A picture of coloured glyphs, as lines that stand beside other text.
struct TextPicture: Sendable {
    /// No picture: blank lines.
    static let none = TextPicture(lines: [])

    let lines: [TextPiece]

    private init(lines: [TextPiece]) {
        self.lines = lines
    }

    /// - Parameter output: of the program that painted it: lines of glyphs and control sequences.
    init(_ output: [UInt8]) {
        lines = String(decoding: output, as: UTF8.self).split(separator: "\n").map { line in
            let shown = line.replacing(/\u{1B}\[\?[0-9]+[hl]/, with: "")
            // Each glyph takes one column.
            let columns = shown.replacing(/\u{1B}\[[0-9;]*m/, with: "").count
            return TextPiece(String(repeating: " ", count: columns)) { _ in "\(shown)\u{1B}[0m" }
        }
    }
}

extension GatewayCommands {
    /// The posters of a grid's films; empty where the terminal shows none, or has no program that paints them.
    func pictures(of assembly: ShowAssembly) async throws -> [TextPicture] {
        guard presentation.view == .grid, presentation.format == .text, !query.policy.isOffline,
            let terminal, terminal.style.isColoured,
            let painter = await ImagePainter(on: terminal, cell: ChartGrid.pictureSize)
        else { return [] }
        let limit = min(deadline, .now + GatewayTiming.pictureLimit)
        return try await withThrowingTaskGroup(of: (Int, TextPicture).self) { group in
            for (index, film) in assembly.films.enumerated() {
                guard let value = film.poster?.value else { continue }
                group.addTask {
                    let poster = try JSONBytes.decode(Poster.self, from: value)
                    let image = try await query.image(of: poster, title: poster.searchedTitle, deadline: limit)
                    guard let bytes = image.attachment, let painted = try await painter.paint(bytes) else {
                        return (index, .none)
                    }
                    return (index, TextPicture(painted))
                }
            }
            var pictures = [TextPicture](repeating: .none, count: assembly.films.count)
            for try await (index, picture) in group { pictures[index] = picture }
            return pictures
        }
    }
}
