import Foundation
import TerminalText
import Testing

extension ProcessTests.CommandLineTests {
    /// What a command line is told that cannot be understood, or asks what there is.
    @Suite(.serialized, .stack()) struct HelpTests {
        /// Of a command or an option, as the parser dumps them.
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

                /// Every sentence, after the name of what it tells about.
                var sentences: [String: String] {
                    var all = ["": abstract ?? "", "/": discussion ?? ""]
                    for option in arguments ?? [] { all[" --\(option.name)"] = option.abstract ?? "" }
                    for command in subcommands ?? [] {
                        for (name, sentence) in command.sentences { all[" \(command.commandName)\(name)"] = sentence }
                    }
                    return all
                }

                /// The words that lead to it and to each below it.
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

        @Test func allOfTheHelpIsInBothLanguages() async throws {
            let korean: Help = try await stack.gateway("--experimental-dump-help", "--lang", "ko").decoded()
            let english: Help = try await stack.gateway("--experimental-dump-help", "--lang", "en").decoded()
            let translated = korean.command.sentences
            #expect(translated.count > 100)
            // Of the parser's own, and the examples that need no words.
            let isSame = { (name: String) in [" --help", " --version", " help"].contains { name.hasSuffix($0) } }
            for (name, sentence) in english.command.sentences where !sentence.isEmpty && !isSame(name) {
                let other = try #require(translated[name])
                let isExampleOnly = sentence.hasPrefix("EXAMPLES") && sentence == other
                #expect(isExampleOnly || sentence != other, "\(name): \(sentence)")
                #expect(isExampleOnly || other.contains(/[가-힣]/), "\(name): \(other)")
            }
        }

        /// The parser counts letters, of which those of Hangul take two columns.
        @Test func koreanHelpFitsATerminal() async throws {
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
        func helpBeginsWithExamples(words: [String], first: String) async throws {
            let help = try await stack.command(Repository.binaries + "/gateway", words).run()
            #expect(help.status == 0 && help.errors.isEmpty && help.lines[0] == first, "\(help)")
            #expect(help.lines.prefix(5).contains("EXAMPLES") || words.contains("exit-codes"))
        }

        /// Whoever has a wrong one looks here for what to do.
        @Test(arguments: [["--help"], ["help", "show"], ["--version"], ["exit-codes"], ["completions", "bash"]])
        func helpNeedsNoSettings(words: [String]) async throws {
            var command = try stack.command(Repository.binaries + "/gateway", words)
            command.environment["BOXOFFICE_CONFIG"] = "/nowhere.conf"
            let help = try await command.run()
            #expect(help.status == 0 && !help.output.isEmpty && help.errors.isEmpty, "\(help)")
        }

        @Test func settingsAreReadOnce() async throws {
            let told = try await stack.shell(
                #"BOXOFFICE_CONFIG=<(echo BOXOFFICE_STALE_WHILE_REVALIDATE=7) "$BIN/gateway" config --json"#)
            #expect(told.status == 0 && told.output.contains(#""value":"7""#), "\(told)")
        }

        @Test(arguments: [("shwo", "Did you mean 'show'?"), ("frobnicate", "Commands: show, watch, chart,")])
        func aCommandThatThereIsNotIsToldWithWhatWasMeant(word: String, advice: String) async throws {
            let result = try await stack.gateway(word)
            #expect(result.status == 64 && result.output.isEmpty && result.errors.contains(advice), "\(result)")
        }

        @Test func whatIsNoTextIsRefused() async throws {
            let result = try await stack.shell(#""$BIN/gateway" movie $'\xff\xfe'"#)
            #expect(result.status == 64 && result.errors.contains("Argument 2 is no UTF-8 text."), "\(result)")
        }

        @Test func theExitCodesAreTold() async throws {
            let help = try await stack.gateway("help", "exit-codes")
            let told = try await stack.gateway("exit-codes")
            #expect(help.status == 0 && told.status == 0)
            for code in [0, 64, 65, 66, 69, 70, 74, 75, 77, 78, 130] {
                #expect(told.output.contains(try Regex("(^|\n) *\(code)  ")) && help.output.contains("\(code)  "))
            }
        }
    }
}
