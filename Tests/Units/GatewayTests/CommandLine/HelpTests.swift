import TerminalText
import Testing

/// Help, and the messages for command lines that cannot be parsed.
@Suite(.timeLimit(.minutes(1))) struct HelpTests {
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

    private func gateway(_ line: String) async -> Printed {
        await GatewayScene.gateway(line.split(separator: " ").map(String.init))
    }

    @Test func `the whole help is in both languages`() async throws {
        let korean: Help = try await gateway("--experimental-dump-help --lang ko").decoded()
        let english: Help = try await gateway("--experimental-dump-help --lang en").decoded()
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
        let help: Help = try await gateway("--experimental-dump-help").decoded()
        for path in help.command.paths() where path.last != "help" {
            let text = await GatewayScene.gateway(path + ["--help"])
            #expect(text.status == 0)
            for line in text.lines where !line.hasPrefix("사용법: ") {
                #expect(TextWidth.narrow.columns(line) <= 80, "\(path): \(line)")
            }
        }
    }

    @Test(arguments: ["ko", "en"]) func `no example is broken into lines`(language: String) async throws {
        let help: Help = try await gateway("--experimental-dump-help --lang \(language)").decoded()
        for (name, text) in help.command.sentences {
            for line in text.split(separator: "\n") where line.hasPrefix("  ") {
                #expect(TextWidth.narrow.columns(String(line)) <= 80, "\(name): \(line)")
            }
        }
    }

    @Test(arguments: [
        ("show --help --lang en", "OVERVIEW: Show a day's chart with film details and posters."),
        ("help show --lang en", "OVERVIEW: Show a day's chart with film details and posters."),
        ("exit-codes --lang en --help", "OVERVIEW: Explain the exit codes."),
        ("help show", "개요: 일별 차트를 영화 상세 정보, 포스터와 함께 출력"),
    ])
    func `help begins with examples`(line: String, first: String) async {
        let help = await gateway(line)
        #expect(help.status == 0 && help.errors.isEmpty && help.lines[0] == first, "\(help)")
        #expect(help.lines.prefix(5).contains { $0 == "EXAMPLES" || $0 == "예" } || line.contains("exit-codes"))
    }

    @Test func `the commands stand in groups, and each command has its own options`() async {
        let all = await gateway("--help --lang en")
        let heads = ["CHARTS:", "FILMS:", "ARCHIVE:", "OPERATE:", "SETUP:"]
        #expect(all.lines.filter { heads.contains($0) } == heads, "\(all)")
        #expect(all.lines.contains("USAGE: gateway <command>"), "\(all)")
        let korean = await gateway("--help")
        #expect(korean.lines.contains("운영:") && !korean.output.contains("SUBCOMMANDS"))
        let show = await gateway("show --help --lang en")
        #expect(show.output.contains("--top <top>") && !show.output.contains("--max-stale"), "\(show)")
        #expect(
            show.lines.contains { $0.hasPrefix("Common options (--json, --lang, --timeout, …): gateway help options") })
        // It asks no stack: it has the language alone.
        let codes = await gateway("exit-codes --help --lang en")
        #expect(codes.output.contains("--lang <lang>") && !codes.output.contains("Common options"), "\(codes)")
        for line in ["help options --lang en", "options --lang en"] {
            let options = await gateway(line)
            for option in ["--max-stale <time>", "--fields <names>", "-v, --verbose", "--broker <broker>"] {
                #expect(options.status == 0 && options.output.contains(option), "\(option) \(options)")
            }
        }
    }

    @Test func `options that cannot be used together are named`() async {
        let english = await gateway("chart --weekly --weekend --lang en")
        #expect(english.status == 64, "\(english)")
        #expect(english.errors.hasPrefix("gateway: '--weekly' and '--weekend' cannot be used together."), "\(english)")
    }

    /// Help must work while a setting is wrong, since a user reads it to correct the setting.
    @Test(arguments: ["--help", "help show", "--version", "exit-codes", "completions bash"])
    func `help needs no valid settings`(line: String) async {
        let help = await GatewayScene.gateway(
            line.split(separator: " ").map(String.init), environment: ["BOXOFFICE_CONFIG": "/nowhere.conf"])
        #expect(help.status == 0 && !help.output.isEmpty && help.errors.isEmpty, "\(help)")
    }

    @Test(arguments: [("shwo", "Did you mean 'show'?"), ("frobnicate", "Commands: show, chart, watch,")])
    func `an unknown command is reported with a suggestion`(word: String, advice: String) async {
        let printed = await gateway("\(word) --lang en")
        #expect(printed.status == 64 && printed.output.isEmpty && printed.errors.contains(advice), "\(printed)")
    }

    @Test(arguments: ["zsh", "fish"])
    func `the words of a completion script are in one language`(shell: String) async {
        let korean = await gateway("completions \(shell)")
        #expect(korean.output.contains("버전 출력") && !korean.output.contains("Show the version."))
        let english = await gateway("completions \(shell) --lang en")
        #expect(english.output.contains("Show the version.") && !english.output.contains("버전"))
    }

    @Test func `the names of a command's fields need no stack`() async {
        let variables = ["BOXOFFICE_CONFIG": "/dev/null", "BOXOFFICE_RUN": "/nonexistent/run"]
        // And no arguments.
        for command in ["chart", "top", "run", "search", "compare", "poster", "person", "-7d.."] {
            let words = command.split(separator: " ").map(String.init) + ["--fields", "help"]
            let fields = await GatewayScene.gateway(words, environment: variables)
            #expect(
                fields.status == 0
                    && fields.lines.contains { ["code ", "dayOfRelease "].contains(where: $0.hasPrefix) }, "\(fields)")
        }
    }

    @Test func `help stands above the names of fields, and words after -- are no options`() async {
        let help = await gateway("top --fields help --help --lang en")
        #expect(help.lines[0].hasPrefix("OVERVIEW: "), "\(help)")
        let words = await gateway("top --lang en -- --fields help")
        #expect(words.status == 64 && words.output.isEmpty, "\(words)")
    }

    @Test func `a day after a film and the command of another program get advice`() async {
        for (line, advice) in [
            ("run 20199882 2022-01-05", "--date 2022-01-05"), ("compare 20199882 2022-01-05", "--date 2022-01-05"),
            ("tap", "Use: tap"), ("status", "compose/stack ps"),
            ("show --stale 3x", "--stale"), ("show --date 2022-01-05", "without an option"),
            ("chart -o xlsx", "Use --excel."), ("top 2022 --by 관객 --limit 0", "--limit"),
            ("share 2022 --by 월 --top", "Unknown option '--top'"),
            ("show --weekend", "Use: gateway chart --weekend"), ("chart --region 서울", "Use: gateway chart --area"),
            ("show --since 5m", "Use: tap --since"), ("search 등대 --date 2022-01-05", "Unknown option '--date'"),
            ("compare", "Quote ranks for the shell"), ("movie 긴 겨울", "into quotes"),
            ("chart --diversity 다양성영화 --top 0", "--top"), ("compare '#1' '#2' --by 날짜 --calls -1", "--calls"),
            ("top 2022 --date 2022-01-05", "without an option"), ("new --date 2022-01-05", "without an option"),
            ("archive fill 2022 --date 2022-01-05", "without an option"),
            ("top 2022 2022-01-05", "2022-01-05..2022-01-31"), ("show --csv", "Use -o csv."),
            ("poster 20199882 --output x.jpg", "Use --save."),
        ] {
            let printed = await gateway(line + " --lang en")
            #expect(printed.status == 64 && printed.errors.contains(advice), "\(printed)")
        }
    }

    @Test(arguments: [
        ("search 등대 2022-01-05", "--date"), ("person 봉준호 2022-01-05", "--date"), ("doctor --xlsx", "--excel"),
        ("show 2022-01-05 2022-01-06", ".."), ("archive fill 2022 --xlsx", "--excel"), ("doctor -o xlsx", "--excel"),
        ("cache stats --csv", "-o csv"),
    ])
    func `advice names no option that the command does not take`(line: String, option: String) async {
        let printed = await gateway(line + " --lang en")
        #expect(printed.status == 64 && !printed.errors.contains(option), "\(printed)")
    }

    @Test func `the exit codes are listed`() async throws {
        let help = await gateway("help exit-codes")
        let reported = await gateway("exit-codes")
        #expect(help.status == 0 && reported.status == 0)
        for code in [0, 64, 65, 66, 69, 70, 74, 75, 77, 78, 130] {
            #expect(reported.output.contains(try Regex("(^|\n) *\(code)  ")) && help.output.contains("\(code)  "))
        }
    }
}
