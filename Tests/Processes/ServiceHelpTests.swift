import Foundation
import TerminalText
import Testing

extension ProcessTests.CommandLineTests {
    /// What a person reads who runs a service's program by hand.
    @Suite struct ServiceHelpTests {
        static let lines = [
            "broker", "broker run", "broker keygen", "broker nats-config", "cache-store", "archive", "chart-fetcher",
            "detail-fetcher", "poster-resolver", "exporter", "web", "web serve", "web export", "demo-upstream",
        ]

        let stack: TestStack

        init() throws {
            stack = try TestStack.shared
        }

        private func run(_ line: String, _ options: String...) async throws -> CommandResult {
            let words = line.split(separator: " ").map(String.init)
            return try await stack.command(Repository.binaries + "/\(words[0])", words.dropFirst() + options).run()
        }

        @Test(arguments: lines) func `help is in both languages`(line: String) async throws {
            let korean = try await run(line, "--help", "--lang", "ko")
            #expect(korean.status == 0 && korean.output.hasPrefix("개요: ") && korean.errors.isEmpty, "\(korean)")
            for line in korean.output.split(separator: "\n") where !line.hasPrefix("사용법: ") {
                #expect(TextWidth.narrow.columns(String(line)) <= 80, "\(line)")
                let isCommand = line.hasPrefix("  ") || line.contains(": gateway ")
                #expect(isCommand || !line.contains(/[a-z]{2,} [a-z]{2,} [a-z]{2,}/), "\(line)")
            }
            let english = try await run(line, "--lang=en", "--help")
            #expect(english.status == 0 && english.output.hasPrefix("OVERVIEW: "), "\(english)")
            #expect(!english.output.contains(/[가-힣]/), "\(english)")
            // Each option is explained in both.
            let options = { (text: String) in text.matches(of: /\n  (--[a-z-]+)/).map(\.output.1) }
            #expect(options(korean.output) == options(english.output))
            for sentence in english.output.matches(of: /\n  --.* {2,}(.*)/).map(\.output.1) {
                #expect(!korean.output.contains(sentence), "\(sentence)")
            }
        }

        // The parser of `web export` misses the arguments first.
        @Test(arguments: lines.filter { $0 != "web export" }) func `an unknown option is refused by the program's name`(
            line: String
        ) async throws {
            let program = line.prefix { $0 != " " }
            let korean = try await run(line, "--unheard-of", "--lang", "ko")
            #expect(korean.status == 64 && korean.errors.hasPrefix("\(program): '--unheard-of' 옵션은 없습니다."), "\(korean)")
            let english = try await run(line, "--unheard-of", "--lang", "en")
            #expect(
                english.status == 64 && english.errors.hasPrefix("\(program): Unknown option '--unheard-of'."),
                "\(english)")
        }

        @Test func `an export without a broker says so once`() async throws {
            let folder = "\(stack.runFolder)/without"
            try FileManager.default.createDirectory(
                atPath: folder, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
            let options = ["--broker", "ipc://\(folder)/broker.ipc", "--lang", "en"]
            let command = try stack.command(
                Repository.binaries + "/web", ["export", "\(stack.runFolder)/site", "2022-01"] + options)
            let result = try await command.run()
            #expect(result.status == 69 && result.errors.hasPrefix("web: The broker does not answer"), "\(result)")
            #expect(result.errors.split(separator: "\n").count == 1, "\(result)")
        }

        @Test func `a wrong setting is named in the language that was asked for, else in that of logs`() async throws {
            for (language, words) in [("ko", "쓸 수 없습니다"), ("en", "cannot be used"), (nil, "cannot be used")] {
                var command = try stack.command(
                    Repository.binaries + "/cache-store", ["--check"] + (language.map { ["--lang", $0] } ?? []))
                command.environment["BOXOFFICE_LOG"] = "loud"
                command.environment["BOXOFFICE_LANG"] = .some(nil)
                let result = try await command.run()
                #expect(result.status == 78 && result.errors.hasPrefix("cache-store: BOXOFFICE_LOG=loud"), "\(result)")
                #expect(result.errors.contains(words), "\(result)")
            }
        }
    }
}
