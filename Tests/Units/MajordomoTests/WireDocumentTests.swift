import Foundation
import Majordomo
import MessageBus
import TestSupport
import Testing

/// The page about the wire shows every vector unchanged, and no other example.
@Suite struct WireDocumentTests {
    /// The rows of one table: as many cells as the page has columns.
    private func rows(_ file: String) throws -> [[String]] {
        let tests = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        let page = try String(
            contentsOf: tests.appending(path: "../../Shared/Bus/Majordomo/Majordomo.docc/Wire.md"), encoding: .utf8)
        let sections = page.split(separator: "\n### ").filter {
            $0.prefix { $0 != "\n" }.hasSuffix("`\(file).json`")
        }
        let section = try #require(sections.count == 1 ? sections.first : nil, "one section about \(file)")
        return section.split(separator: "\n").filter { $0.hasPrefix("| ") }.dropFirst().map { row in
            row.dropFirst().dropLast().split(separator: "|", omittingEmptySubsequences: false)
                .map { $0.trimmingCharacters(in: .whitespaces) }
        }
    }

    @Test(arguments: ["mdp-client", "mdp-worker", "mdp-control", "mdp-options", "mmi"])
    func `the page shows each vector once`(_ file: String) throws {
        let expected = try GoldenFrames.all(file).map { vector in
            [vector.name, Self.text(vector.wire), vector.replyWire.map { Self.text($0) } ?? Self.reading(vector)]
        }
        let shown = try rows(file)
        let (missing, unknown) = (expected.filter { !shown.contains($0) }, shown.filter { !expected.contains($0) })
        #expect(missing.isEmpty, "rows to add:\n\(missing.map(Self.row).joined(separator: "\n"))")
        #expect(unknown.isEmpty, "rows of no vector:\n\(unknown.map(Self.row).joined(separator: "\n"))")
        #expect(shown.count == expected.count)
    }

    private static func row(_ cells: [String]) -> String { "| \(cells.joined(separator: " | ")) |" }

    private static func reading(_ vector: GoldenFrames) -> String {
        vector.meaning.map { $0.kind ?? "options" } ?? "nothing"
    }

    private static func text(_ frames: [Frame]) -> String {
        frames.isEmpty ? "" : "`\(frames.map { text($0) }.joined(separator: " "))`"
    }

    /// Text in quotes, cut when it is long; other bytes in hexadecimal.
    private static func text(_ frame: Frame) -> String {
        guard let text = String(validating: frame, as: UTF8.self),
            text.unicodeScalars.allSatisfy({ $0 == "\n" || ($0.value >= 0x20 && $0.value != 0x7f) })
        else { return frame.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined() }
        let scalars = text.unicodeScalars
        let start = String(String.UnicodeScalarView(scalars.prefix(60))) + (scalars.count > 60 ? "…" : "")
        return "\"\(start.replacing("\n", with: "⏎"))\""
    }
}
