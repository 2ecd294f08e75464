import Foundation
import TerminalText
import Testing

extension ProcessTests.CommandLineTests {
    /// Help, and the messages for command lines that cannot be parsed.
    @Suite(.serialized) struct HelpTests {
        /// The help of a command or an option, as the parser dumps it.
        struct Help: Decodable {
            struct Option: Decodable {
                struct Name: Decodable {
                    let name: String
                }

                let abstract: String?
                let preferredName: Name?
                let valueName: String?

                var name: String { preferredName?.name ?? valueName ?? "" }
            }

            struct Command: Decodable {
                let commandName: String
                let abstract: String?
                let discussion: String?
                let arguments: [Option]?
                let subcommands: [Command]?

                /// Every sentence, after the name of its subject.
                var sentences: [String: String] {
                    var all = ["": abstract ?? "", "/": discussion ?? ""]
                    for option in arguments ?? [] { all[" --\(option.name)"] = option.abstract ?? "" }
                    for command in subcommands ?? [] {
                        for (name, sentence) in command.sentences { all[" \(command.commandName)\(name)"] = sentence }
                    }
                    return all
                }

                /// The command words of this command and of each subcommand.
                func paths(_ before: [String] = []) -> [[String]] {
                    [before] + (subcommands ?? []).flatMap { $0.paths(before + [$0.commandName]) }
                }
            }

            let command: Command
        }

        let stack: TestStack

        init() throws {
            stack = try TestStack.shared
        }

        @Test func `the whole help is in both languages`() async throws {
            let korean: Help = try await stack.gateway("--experimental-dump-help", "--lang", "ko").decoded()
            let english: Help = try await stack.gateway("--experimental-dump-help", "--lang", "en").decoded()
            let translated = korean.command.sentences
            #expect(translated.count > 100)
            // The parser's own commands, and the examples that need no translation.
            let isSame = { (name: String) in [" --help", " --version", " help"].contains { name.hasSuffix($0) } }
            for (name, sentence) in english.command.sentences where !sentence.isEmpty && !isSame(name) {
                let other = try #require(translated[name])
                let isExampleOnly = sentence.hasPrefix("EXAMPLES") && sentence == other
                #expect(isExampleOnly || sentence != other, "\(name): \(sentence)")
                #expect(isExampleOnly || other.contains(/[가-힣]/), "\(name): \(other)")
            }
        }

        /// The parser counts letters, but a Hangul letter takes two columns.
        @Test func `Korean help fits a terminal`() async throws {
            let help: Help = try await stack.gateway("--experimental-dump-help").decoded()
            for path in help.command.paths() where path.last != "help" {
                let text = try await stack.command(Repository.binaries + "/gateway", path + ["--help"]).run()
                #expect(text.status == 0)
                for line in text.lines where !line.hasPrefix("USAGE: ") {
                    #expect(TextWidth.narrow.columns(line) <= 80, "\(path): \(line)")
                }
            }
        }

        @Test(arguments: [
            (["show", "--help", "--lang", "en"], "OVERVIEW: The chart of a day with details and posters."),
            (["help", "show", "--lang", "en"], "OVERVIEW: The chart of a day with details and posters."),
            (["exit-codes", "--lang", "en", "--help"], "OVERVIEW: What the exit codes mean."),
            (["help", "show"], "OVERVIEW: 어느 날의 차트와 영화 상세, 포스터."),
        ])
        func `help begins with examples`(words: [String], first: String) async throws {
            let help = try await stack.command(Repository.binaries + "/gateway", words).run()
            #expect(help.status == 0 && help.errors.isEmpty && help.lines[0] == first, "\(help)")
            #expect(help.lines.prefix(5).contains("EXAMPLES") || words.contains("exit-codes"))
        }

        /// Help must work while a setting is wrong, since a user reads it to correct the setting.
        @Test(arguments: [["--help"], ["help", "show"], ["--version"], ["exit-codes"], ["completions", "bash"]])
        func `help needs no valid settings`(words: [String]) async throws {
            var command = try stack.command(Repository.binaries + "/gateway", words)
            command.environment["BOXOFFICE_CONFIG"] = "/nowhere.conf"
            let help = try await command.run()
            #expect(help.status == 0 && !help.output.isEmpty && help.errors.isEmpty, "\(help)")
        }

        @Test func `settings are read once`() async throws {
            let reported = try await stack.shell(
                #"BOXOFFICE_CONFIG=<(echo BOXOFFICE_STALE_WHILE_REVALIDATE=7) "$BIN/gateway" config --json"#)
            #expect(reported.status == 0 && reported.output.contains(#""value":"7""#), "\(reported)")
        }

        @Test(arguments: [("shwo", "Did you mean 'show'?"), ("frobnicate", "Commands: show, watch, chart,")])
        func `an unknown command is reported with a suggestion`(word: String, advice: String) async throws {
            let result = try await stack.gateway(word)
            #expect(result.status == 64 && result.output.isEmpty && result.errors.contains(advice), "\(result)")
        }

        @Test func `an argument that is not text is refused`() async throws {
            let result = try await stack.shell(#""$BIN/gateway" movie $'\xff\xfe'"#)
            #expect(result.status == 64 && result.errors.contains("Argument 2 is no UTF-8 text."), "\(result)")
        }

        @Test func `the exit codes are listed`() async throws {
            let help = try await stack.gateway("help", "exit-codes")
            let reported = try await stack.gateway("exit-codes")
            #expect(help.status == 0 && reported.status == 0)
            for code in [0, 64, 65, 66, 69, 70, 74, 75, 77, 78, 130] {
                #expect(reported.output.contains(try Regex("(^|\n) *\(code)  ")) && help.output.contains("\(code)  "))
            }
        }
    }
}
