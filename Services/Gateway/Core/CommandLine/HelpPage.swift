import ArgumentParser
import CommandKit
import ProcessKit

/// The help of a command: its own options, then one line about those that most commands share.
struct HelpPage {
    private let before: [String]
    /// Each option with the lines that explain it.
    private let entries: [[String]]
    private let after: [String]
    private let heading: String?

    /// - Parameter lines: as the parser prints them, in either language.
    init(_ lines: [String]) {
        guard let start = lines.firstIndex(where: { ["OPTIONS:", "옵션:"].contains($0) }) else {
            (before, entries, after, heading) = (lines, [], [], nil)
            return
        }
        let end = lines[(start + 1)...].firstIndex { $0.isEmpty } ?? lines.endIndex
        before = Array(lines[..<start])
        heading = lines[start]
        after = Array(lines[end...])
        entries = lines[(start + 1)..<end].reduce(into: []) { entries, line in
            if line.hasPrefix("  -") {
                entries.append([line])
            } else if !entries.isEmpty {
                entries[entries.count - 1].append(line)
            }
        }
    }

    /// The page without the common options.
    var lines: [String] {
        guard let heading else { return before }
        let common = Self.common
        let own = entries.filter { !common.contains(Self.name($0)) }
        // A command that asks no stack has few of the common options, if any.
        guard entries.contains(where: { Self.name($0) == "--timeout" }) else {
            return before + [heading] + entries.flatMap(\.self) + after
        }
        let hint = say(
            "공통 옵션(--json, --lang, --timeout 등): \(Installation.gateway) help options",
            "Common options (--json, --lang, --timeout, …): \(Installation.gateway) help options")
        return before + (own.isEmpty ? [] : [heading] + own.flatMap(\.self) + [""]) + [hint] + after
    }

    /// The options alone, below the titles of their groups.
    static func sections(_ lines: [String]) -> [String] {
        let isTitle = { (line: String) in line.hasSuffix(":") && !line.hasPrefix(" ") }
        let groups = lines.split(omittingEmptySubsequences: true) { $0.isEmpty }.filter { isTitle($0.first ?? "") }
        // The last one has the parser's own options.
        return Array(groups.dropLast().joined(separator: [""]))
    }

    /// "-o <form>" as "-o", "-v, --verbose" as "--verbose".
    private static func name(_ entry: [String]) -> String {
        let words = entry[0].split(separator: " ").prefix { $0.hasPrefix("-") }
        return words.last.map { $0.hasSuffix(",") ? String($0.dropLast()) : String($0) } ?? ""
    }

    /// The names of the common options, and of those of the parser.
    private static var common: Set<String> {
        let lines = OptionsCommand.helpMessage(columns: 80).split(separator: "\n").filter { $0.hasPrefix("  -") }
        return Set(lines.map { name([String($0)]) }).union(["--version"])
    }
}
