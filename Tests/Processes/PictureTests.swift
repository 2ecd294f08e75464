import Foundation
import Testing

extension ProcessTests.CommandLineTests {
    /// A poster in a terminal.
    @Suite(.serialized) struct PictureTests {
        private static let command = "poster 20199001 --no-color"
        /// Glyphs of chafa's output.
        private static var blocks: Regex<Substring> { /[▀-▟]{8}/ }

        let stack: TestStack

        init() throws {
            stack = try TestStack.shared
        }

        /// Runs `body` with a folder in which `chafa` is that script.
        private func withProgram(_ script: String, _ body: (String) async throws -> Void) async throws {
            let folder = stack.runFolder + "/programs"
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            defer { try? FileManager.default.removeItem(atPath: folder) }
            try Data("#!/bin/sh\n\(script)\n".utf8).write(to: URL(filePath: folder + "/chafa"))
            try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: folder + "/chafa")
            try await body(folder)
        }

        private func link() async throws -> String {
            // The first start of a program takes as long as the disk needs to read it.
            try await stack.shell("chafa --version")
            return try await stack.answered("poster", "20199001").output
        }

        @Test func `a terminal shows the picture above its link`() async throws {
            let link = try await link()
            let screen = try await stack.screen(Self.command, columns: 120, lines: 30)
            #expect(screen.hasSuffix(link.trimmingCharacters(in: .newlines)) || screen.contains(link), "\(screen)")
            #expect(screen.contains(Self.blocks), "\(screen)")
            let coloured = try await stack.screen("poster 20199001", columns: 120, lines: 30)
            #expect(coloured.contains(link) && coloured.count > 2 * link.count, "\(coloured)")
            let without = try await stack.screen(Self.command + " --no-image", columns: 120, lines: 30)
            #expect(without == link)
        }

        @Test(arguments: [
            ("\u{1B}_Gi=31;OK\u{1B}\\\u{1B}P>|kitty(0.26)\u{1B}\\\u{1B}[?62;c", "\u{1B}_Ga=T"),
            ("\u{1B}P>|iTerm2 3.5.0\u{1B}\\\u{1B}[?62;4c", "\u{1B}]1337;File="),
            ("\u{1B}P>|foot(1.13)\u{1B}\\\u{1B}[?62;4;22c", "\u{1B}P0;1;0q"), ("\u{1B}[?62;22c", "▄▄▄▄"), ("", "▄▄▄▄"),
        ])
        func `the terminal's answer selects the picture format`(answer: String, picture: String) async throws {
            let link = try await link()
            let shown = try await stack.terminal(answering: answer, "poster", "20199001").output
            let after = try #require(shown.split(separator: "\u{1B}[c", maxSplits: 1).last)
            #expect(after.contains(picture), "\(after.prefix(300).debugDescription)")
            for line in link.lines where !line.isEmpty { #expect(after.contains(line)) }
            for other in ["\u{1B}_Ga=T", "\u{1B}]1337;File=", "\u{1B}P0;1;0q"] where other != picture {
                #expect(!after.contains(other))
            }
        }

        @Test func `earlier keyboard input is not taken for the terminal's answer`() async throws {
            let kitty = "\u{1B}_Gi=31;OK\u{1B}\\\u{1B}[?62;c"
            let shown = try await stack.terminal(answering: kitty, typed: "ls -l", "poster", "20199001")
            #expect(shown.status == 0 && shown.output.contains("▄▄▄▄"), "\(shown.output.suffix(300))")
            #expect(!shown.output.contains("\u{1B}[c"))
        }

        @Test func `an interrupt during the terminal query restores the terminal`() async throws {
            let ended = try await stack.terminal(answering: "\u{03}", "poster", "20199001", "--lang", "en")
            #expect(ended.status == 130 && ended.output.contains("gateway: Cancelled."), "\(ended)")
            let stopped = try await stack.terminal(answering: "\u{1A}\u{1C}", "poster", "20199001")
            #expect(stopped.status == 0 && stopped.output.contains("▄▄▄▄"), "\(stopped.output.suffix(300))")
        }

        @Test func `without a picture the terminal is not queried`() async throws {
            for option in ["--no-image", "--plain", "--no-color", "--offline"] {
                let shown = try await stack.terminal(answering: "", "poster", "20199001", option).output
                #expect(!shown.contains("\u{1B}[c") && !shown.contains("\u{1B}_G"), "\(shown.debugDescription)")
            }
        }

        @Test func `a pipe gets the link alone`() async throws {
            let link = try await link()
            #expect(link.lines.count == 3 && !link.contains(Self.blocks) && !link.contains("\u{1B}"))
            let plain = try await stack.screen(Self.command + " --plain", columns: 120, lines: 30)
            #expect(plain == link)
        }

        @Test func `a missing or failing picture program leaves the link`() async throws {
            let link = try await link()
            #expect(try await stack.screen(Self.command, columns: 120, lines: 30, path: "/nowhere") == link)
            try await withProgram("echo nonsense; exit 1") { folder in
                let screen = try await stack.screen(Self.command, columns: 120, lines: 30, path: folder)
                #expect(screen == link)
            }
        }

        @Test func `a picture program that hangs is ended`() async throws {
            let link = try await link()
            let file = stack.runFolder + "/chafa.pid"
            try await withProgram("echo $$ > \(file); exec /bin/sleep 1000") { folder in
                #expect(try await stack.screen(Self.command, columns: 120, lines: 30, path: folder) == link)
                let text = try String(contentsOfFile: file, encoding: .utf8)
                let pid = try #require(pid_t(text.trimmingCharacters(in: .whitespacesAndNewlines)))
                #expect(kill(pid, 0) == -1 && errno == ESRCH)
            }
        }

        @Test func `a film without a poster has no picture`() async throws {
            let screen = try await stack.screen("poster '포스터 없는 밤' --lang en", columns: 120, lines: 30)
            #expect(!screen.contains(Self.blocks) && screen.contains("The image search has no poster of"), "\(screen)")
        }
    }
}

extension String {
    fileprivate var lines: [Substring] { split(separator: "\n", omittingEmptySubsequences: false) }
}
