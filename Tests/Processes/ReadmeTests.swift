import Foundation
import Testing

extension ProcessTests.CommandLineTests {
    /// The README's commands, run with the demo stack only.
    @Suite struct ReadmeTests {
        /// Each line of a code block that runs a program of the stack, without its comment; and those within sentences.
        private var commands: [String] {
            get throws {
                let text = try String(contentsOfFile: Repository.root + "/README.md", encoding: .utf8)
                let blocks = text.components(separatedBy: "```").enumerated().filter { !$0.offset.isMultiple(of: 2) }
                let lines = blocks.flatMap { $0.element.split(separator: "\n") }
                    .filter { $0.hasPrefix("gateway") || $0.hasPrefix("compose/stack ") }
                    .map { String($0.replacing(/(\ >\ [^\ ]+)?\ +#\ .*/, with: "")) }
                let inline = text.matches(of: /`(gateway [^`]+|compose\/stack [^`]+)`/).map { match in
                    String(match.1.prefix { $0 != ">" })
                }
                return lines + inline
            }
        }

        /// Excludes building, starting and stopping, which other tests do, and commands that follow the stream without end.
        private func isAnswered(_ command: String) -> Bool {
            !["compose/stack up", "compose/stack down", "gateway watch"].contains { command.hasPrefix($0) }
        }

        @Test func `each command of the README is answered`() async throws {
            let commands = try commands.filter(isAnswered)
            #expect(commands.count >= 10)
            try await TestStack.inRunFolder { stack in
                // Without recordings, unlike the stacks of other tests.
                let up = try await stack.launcher(["up", "--demo", "--bin", Repository.binaries])
                try #require(up.status == 0, "\(up)")
                for command in commands {
                    let result = try await stack.shell("cd '\(Repository.root)' && PATH=$BIN:$PATH && \(command)")
                    #expect(result.status == 0 && !result.output.isEmpty, "\(command): \(result)")
                }
            }
        }
    }
}
