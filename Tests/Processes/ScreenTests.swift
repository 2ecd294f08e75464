import Foundation
import Testing

extension ProcessTests.CommandLineTests {
    /// The screens of a terminal, compared with reviewed captures.
    @Suite(.serialized) struct ScreenTests {
        struct Screen: Sendable, CustomTestStringConvertible {
            let name: String
            let command: String
            let columns: Int

            var testDescription: String { name }
        }

        static let screens: [Screen] = [
            ("show-list", "show 2019-03-15"), ("show-wide", "show 2019-03-15 --wide"),
            ("show-grid", "show 2019-03-15 --grid"), ("chart-weekend", "chart 2014-06-03 --weekend --area 서울"),
            ("search", "search 등대 --opened 2018-2019 --limit 5"),
        ].flatMap { name, command in
            ["ko", "en"].flatMap { language in
                [40, 80, 160].map { columns in
                    Screen(
                        name: "\(name)-\(language)-\(columns)", command: "\(command) --lang \(language)",
                        columns: columns)
                }
            }
        }

        let stack: TestStack

        init() throws {
            stack = try TestStack.shared
        }

        @Test(arguments: screens) func `a screen equals its reviewed capture`(screen: Screen) async throws {
            let fixture = Repository.screens + "/\(screen.name).txt"
            // Requested in advance: no progress line appears.
            try await stack.shell("\"$BIN/gateway\" \(screen.command)")
            let seen = try await stack.screen(screen.command, columns: screen.columns)
            #expect(try seen == String(contentsOfFile: fixture, encoding: .utf8), "\(seen)")
        }
    }
}
