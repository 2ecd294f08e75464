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

        /// Runs the gateway in a terminal that tmux plays, and returns what stands there at the end.
        private func screen(_ command: String, columns: Int) async throws -> String {
            let result = try await stack.shell(
                """
                name=bx$$; inner="LC_ALL=C.UTF-8 '$BIN/gateway' \(command); printf END-OF-IT; cat"
                tmux -u -L $name -f /dev/null new-session -d -x \(columns) -y 60 "$inner" || exit
                until screen=$(tmux -u -L $name capture-pane -p) && [[ $screen == *END-OF-IT* ]]; do :; done
                tmux -L $name kill-server
                printf '%s' "$screen"
                """)
            #expect(result.status == 0, "\(result)")
            return result.output.replacing(/END-OF-IT\s*$/, with: "")
        }

        @Test(arguments: screens) func aScreenIsTheOneThatWasLookedAt(screen: Screen) async throws {
            let fixture = Repository.screens + "/\(screen.name).txt"
            // Asked before: no line of progress comes and goes.
            try await stack.answered("show", "2019-03-15")
            let seen = try await self.screen(screen.command, columns: screen.columns)
            #expect(try seen == String(contentsOfFile: fixture, encoding: .utf8), "\(seen)")
        }
    }
}
