import Foundation
import Testing

extension ProcessTests.Questions {
    /// What people see in a terminal, held against screens that somebody has looked at.
    @Suite(.serialized, .stack()) struct ScreenTests {
        struct Screen: Sendable, CustomTestStringConvertible {
            let name: String
            let command: String
            let columns: Int

            var testDescription: String { name }
        }

        static let screens: [Screen] = [("list", ""), ("wide", "--wide"), ("grid", "--grid")].flatMap { view, option in
            ["ko", "en"].flatMap { language in
                [40, 80, 160].map { columns in
                    Screen(
                        name: "show-\(view)-\(language)-\(columns)",
                        command: "show 2019-03-15 --lang \(language) \(option)", columns: columns)
                }
            }
        }

        let stack: TestStack

        init() throws {
            stack = try TestStack.shared
        }

        @Test(arguments: screens) func aScreenIsTheOneThatWasLookedAt(screen: Screen) async throws {
            let fixture = Repository.screens + "/\(screen.name).txt"
            // Asked before: no line of progress comes and goes.
            try await stack.answered("show", "2019-03-15")
            let seen = try await stack.screen(screen.command, columns: screen.columns)
            #expect(try seen == String(contentsOfFile: fixture, encoding: .utf8), "\(seen)")
        }
    }
}
