import Foundation
import Testing

extension ProcessTests.CommandLineTests {
    /// The real program, once with each of its commands; in process `GatewayTests` checks what they print.
    @Suite(.serialized) struct CommandTests {
        private struct Help: Decodable {
            struct Command: Decodable {
                let commandName: String
                let subcommands: [Command]?

                /// The command words of each command without subcommands.
                var leaves: [String] {
                    guard let subcommands else { return [commandName] }
                    return subcommands.flatMap(\.leaves).map { "\(commandName) \($0)" }
                }
            }

            let command: Command
        }

        /// A command line of each command.
        static let lines = [
            "show": "2019-03-15", "watch": "2019-03-15 --json | head -n 1", "chart": "2019-03-15 --weekend",
            "movie": "20199001", "search": "등대", "poster find": "20199001 --save \"$BOXOFFICE_RUN/poster\"",
            "poster pin": "20199001 1", "poster unpin": "20199001", "ping": "", "workers": "",
            "stats": "detail-fetcher", "quota": "", "cache stats": "", "cache purge": "chart", "cache clear": "",
            "trace": "", "bench": "2019-03-15 --for 100ms", "doctor": "--bundle \"$BOXOFFICE_RUN/bundle\"",
            "config": "", "options": "", "completions": "bash", "exit-codes": "", "help": "show",
            "run": "'#1' --date 2006-03-16", "history": "2019-03-15", "archive status": "",
            "archive fill": "2019-03-15 --rate off", "archive pause": "", "archive cancel": "",
            "top": "2006-03-14..2006-03-16", "compare": "'#1' '#2' --date 2006-03-16",
            "share": "2006-03-15 --by day", "records": "2006-03-15", "new": "2006-03-15", "brief": "2006-03-16",
            "person": """
            "$("$BIN/gateway" movie '#1' --date 2006-03-16 -o csv --no-header --fields directors | cut -d ';' -f 1)"
            """,
            // Other tests count calls.
            "archive resume": "&& \"$BIN/gateway\" archive cancel > /dev/null",
        ]

        /// What a command needs that changes something.
        static let preparations = [
            "archive pause": "archive fill 2005 --rate 1 --detach",
            "archive cancel": "archive fill 2005 --rate 1 --detach",
            "archive resume": "archive fill 2005 --rate 1 --detach && \"$BIN/gateway\" archive pause",
        ]

        let stack: TestStack

        init() throws {
            stack = try TestStack.shared
        }

        @Test func `every command of the program has a command line here`() async throws {
            let help: Help = try await stack.gateway("--experimental-dump-help").decoded()
            let commands = help.command.leaves.map { $0.dropFirst("gateway ".count) }
            #expect(Set(commands.map(String.init)) == Set(Self.lines.keys))
        }

        @Test(arguments: lines.keys.sorted()) func `a command answers on stdout and ends with 0`(name: String)
            async throws
        {
            let line = "\(name) \(Self.lines[name] ?? "")"
            let before = Self.preparations[name].map { "\"$BIN/gateway\" \($0) > /dev/null && " } ?? ""
            let result = try await stack.shell("set -o pipefail; \(before)\"$BIN/gateway\" \(line)")
            #expect(result.status == 0 && !result.output.isEmpty, "\(line): \(result)")
        }

        @Test func `an argument that is not text is refused`() async throws {
            let result = try await stack.shell(#""$BIN/gateway" movie $'\xff\xfe'"#)
            #expect(result.status == 64 && result.errors.contains("2번째 인자가 UTF-8 글이 아닙니다."), "\(result)")
        }

        @Test func `settings are read once`() async throws {
            let reported = try await stack.shell(
                #"BOXOFFICE_CONFIG=<(echo BOXOFFICE_STALE_WHILE_REVALIDATE=7) "$BIN/gateway" config --json"#)
            #expect(reported.status == 0 && reported.output.contains(#""value":"7""#), "\(reported)")
        }
    }
}
