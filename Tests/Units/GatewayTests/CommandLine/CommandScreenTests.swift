import ProcessKit
import TerminalText
import TestSupport
import Testing

@testable import GatewayCore

/// What each command prints on terminals of several widths.
@Suite(.timeLimit(.minutes(2)), .scene()) struct CommandScreenTests {
    let scene: GatewayScene

    init() throws {
        scene = try GatewayScene.shared
    }

    /// Every command, and answers with failures, long lists and long names.
    static let lines = [
        "", "show 2019-03-15", "show 2019-03-15 --grid", "show 2019-03-15 --wide", "show 2019-03-15 --explain",
        "show 2018-07-07 --offline", "chart 2019-03-15", "chart 2019-03-15 --wide", "chart 2019-03-15 --weekend --grid",
        "movie 20199001", "movie 20199001 --all", "movie 의 --date 2019-03-15", "movie 00000000", "search 등대",
        "search 이런제목은없다", "poster 20199001", "poster pin 20199001", "poster pin 20000001", "ping", "workers", "stats",
        "stats nonsense", "quota", "cache stats", "cache purge nonsense", "trace", "bench 2019-03-15 --for 200ms",
        "doctor", "config", "exit-codes", "help", "help show", "help poster pin", "nonsense", "show nonsense",
        "show --frobnicate",
    ]

    @Test(arguments: lines, [40, 80])
    func `no line is wider than the terminal unless it is one word`(line: String, columns: Int) async throws {
        for language in ["ko", "en"] {
            let printed = await scene.gateway("\(line) --lang \(language)", columns: columns)
            for text in printed.lines + printed.errors.split(separator: "\n").map(String.init) {
                // A link, a path or a list of options has no place to break at.
                let isOneWord = text.split(separator: " ").count == 1
                #expect(isOneWord || Self.fits(text, in: columns), "\(language): \(text)")
            }
        }
    }

    /// A last word that cannot be broken may follow an indent, a label or a mark.
    private static func fits(_ text: String, in columns: Int) -> Bool {
        TextWidth.narrow.columns(text) <= columns
            || TextWidth.narrow.columns(text.split(separator: " ").last.map(String.init) ?? "") + 4 > columns
    }
}
