public import Localization
internal import ProcessKit

/// The parser's own words, which are English only, in the language of the output.
public struct ParserText: Sendable {
    let language: Language
    /// What the command of an error takes; advice names nothing else.
    var usage = CommandUsage()

    public init(language: Language) {
        self.language = language
    }

    // MARK: Help

    /// A help page or a completion script with its headings and notes in the language.
    public func translated(_ text: String) -> String {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map { shortUsage(String($0)) }
        guard language == .ko else {
            return lines.joined(separator: "\n").replacing(" SUBCOMMANDS:\n", with: ":\n")
                .replacing("<subcommand>", with: "<command>")
        }
        return lines.map { line in
            var line = line
            for (english, korean) in Self.headings where line.hasPrefix(english) {
                line = korean + line.dropFirst(english.count)
            }
            if line.hasSuffix(" SUBCOMMANDS:") { line = line.dropLast(13) + ":" }
            for (english, korean) in Self.notes { line = line.replacing(english, with: korean) }
            return moreHelp(line)
        }.joined(separator: "\n")
    }

    private static let headings = [
        ("OVERVIEW: ", "개요: "), ("USAGE: ", "사용법: "), ("Usage: ", "사용법: "), ("ARGUMENTS:", "인자:"),
        ("OPTIONS:", "옵션:"), ("SUBCOMMANDS:", "명령:"), ("EXAMPLES", "예"), ("Help:  ", "도움말:  "),
    ]

    private static let notes = [
        ("Show help information.", "도움말 출력"), ("Show subcommand help information.", "명령의 도움말 출력"),
        ("Show the version.", "버전 출력"), ("(default:", "(기본값:"), ("(values:", "(값:"), ("; default:", "; 기본값:"),
        (" default: ", " 기본값: "),
        (" (default) ", " (기본)    "),
        ("<subcommand>", "<명령>"), ("[<options>]", "[<옵션>]"), ("<options>", "<옵션>"),
    ]

    /// A usage with one word for several options, as the parser itself writes it for more than a dozen.
    private func shortUsage(_ line: String) -> String {
        guard line.lowercased().hasPrefix("usage: "), line.split(separator: "[-").count > 3 else { return line }
        var (words, isInOption): ([Substring], Bool) = ([], false)
        for word in line.split(separator: " ") {
            isInOption = isInOption || word.hasPrefix("[-")
            if !isInOption { words.append(word) }
            if isInOption, word.hasSuffix("]") { isInOption = false }
        }
        let place = words.firstIndex { $0.hasPrefix("[") || $0.hasPrefix("<") } ?? words.endIndex
        words.insert("[<options>]", at: place)
        return words.joined(separator: " ")
    }

    /// "See 'gateway help <subcommand>' for detailed help.", "See 'gateway show --help' for more information."
    private func moreHelp(_ line: String) -> String {
        let words = line.drop { $0 == " " }
        guard words.hasPrefix("See '"),
            line.hasSuffix(" for detailed help.") || line.hasSuffix(" for more information.")
        else { return line }
        let command = quoted(words).first ?? ""
        return "\(line.prefix(line.count - words.count))도움말: \(command)"
    }

    // MARK: Errors

    /// The reason of an error: its first line is translated, and a suggestion that is too far away is left out.
    func reason(_ text: Substring) -> String {
        let (first, rest) = (text.prefix { $0 != "\n" }, text.drop { $0 != "\n" })
        // A day after a film, which other commands take as an argument.
        let day = quoted(first).first {
            first.hasPrefix("Unexpected argument") && $0.count == 10 && $0.split(separator: "-").count == 3
        }
        let isSpaced = first.contains("nexpected argument") && day == nil && usage.takesText
        let hint =
            if let day { self.hint(onDay: day) } else if isSpaced {
                language(" 빈칸이 있는 제목이나 이름은 따옴표로 묶으세요.", " Put a title or a name with blanks into quotes.")
            } else { "" }
        let text = String(first)
        return (advice(text) ?? sentence(text)) + hint + rest
    }

    /// How to give a day that is an argument too many.
    private func hint(onDay day: String) -> String {
        if usage.options.contains("--date") {
            return language(" 날짜는 \("--date \(day)".with(.direction)) 지정하세요.", " Give the day as --date \(day).")
        }
        guard usage.takesRange else { return "" }
        return language(" 기간은 2022-01-05..2022-01-31처럼 쓰세요.", " Write a range as 2022-01-05..2022-01-31.")
    }

    /// Options that only the command has which the advice names.
    private static let elsewhere = [
        "--weekend": "chart --weekend", "--weekly": "chart --weekly", "--weekdays": "chart --weekdays",
        "--area": "chart --area", "--region": "chart --area", "--nation": "chart --nation",
        "--diversity": "chart --diversity", "--explain": "show --explain", "--details": "archive fill --details",
    ].mapValues { "\(Installation.gateway) \($0)" }
        .merging(["--since", "--match"].map { ($0, "\(Installation.program("tap")) \($0)") }) { $1 }

    /// What to use instead of an option that the command has by another name, or that another command has.
    private func advice(_ text: String) -> String? {
        guard text.hasPrefix("Unknown option "), let name = quoted(text[...]).first else { return nil }
        let same: (needs: String, use: String)? =
            switch name {
            case "--csv", "--tsv": ("--format", "-o \(name.dropFirst(2))")
            case "--xlsx": ("--excel", "--excel")
            case "--output": usage.options.contains("--save") ? ("--save", "--save") : ("--format", "-o")
            default: nil
            }
        if let same, usage.options.contains(same.needs) {
            return language("'\(name)' 옵션은 없습니다. \(same.use) 옵션을 쓰세요.", "Unknown option '\(name)'. Use \(same.use).")
        }
        if let other = Self.elsewhere[name], usage.isOfGateway {
            return language(
                "여기에는 '\(name)' 옵션이 없습니다. 사용하세요: \(other)", "There is no option '\(name)' here. Use: \(other)")
        }
        guard name == "--date", usage.takesDays else { return nil }
        return language("날짜는 옵션 없이 쓰세요. 예: 2022-01-05", "Give the day without an option, e.g. 2022-01-05.")
    }

    /// The parser's sentence in our words; what it quotes may contain quotation marks itself.
    private func sentence(_ text: String) -> String {
        func rest(after prefix: String) -> String? {
            text.hasPrefix(prefix + "'") && text.hasSuffix("'")
                ? String(text.dropFirst(prefix.count + 1).dropLast()) : nil
        }
        if let name = rest(after: "Missing expected argument ") { return missing(name) }
        if let option = rest(after: "Missing value for ") {
            return language("'\(option)' 옵션에 값이 없습니다.", "Option '\(option)' needs a value.")
        }
        if let word = rest(after: "Unexpected argument ") {
            return language("'\(word)' 인자는 받지 않습니다.", "Unexpected argument '\(word)'.")
        }
        if let option = rest(after: "Unknown option ") {
            return language("'\(option)' 옵션은 없습니다.", "Unknown option '\(option)'.")
        }
        if let parts = text.firstMatch(of: /^Unknown option '(.*)'\. Did you mean '(.*)'\?$/)?.output {
            let near = Suggestion.closest(to: String(parts.1), among: [String(parts.2)])
            return language("'\(parts.1)' 옵션은 없습니다.", "Unknown option '\(parts.1)'.")
                + (near.map { language(" '\($0)'인가요?", " Did you mean '\($0)'?") } ?? "")
        }
        if let parts = text.firstMatch(of: /^([0-9]+) unexpected arguments: (.*)$/)?.output {
            return language(
                "받지 않는 인자 \(parts.1)개: \(parts.2).", "\(parts.1) unexpected arguments: \(parts.2).")
        }
        if let parts = text.firstMatch(of: /^The value '(.*)' is invalid for '([^']*)'(.*)$/)?.output {
            return value(String(parts.1), of: String(parts.2), known: quoted(parts.3))
        }
        if let parts = text.firstMatch(of: /^The option '([^']*)' does not take any value, but '(.*)' was specified/)?
            .output
        {
            return language(
                "'\(parts.1)' 옵션은 값을 받지 않습니다('\(parts.2)').", "Option '\(parts.1)' takes no value ('\(parts.2)').")
        }
        if let parts = text.firstMatch(
            of: /^Value to be set with [a-z ]*'([^']*)' had already been set with [a-z ]*'([^']*)'/)?.output
        {
            return language(
                "'\(parts.2)', '\(parts.1)' 옵션은 함께 쓸 수 없습니다. 하나만 지정하세요.",
                "'\(parts.2)' and '\(parts.1)' cannot be used together. Give one of them.")
        }
        return text
    }

    private func missing(_ name: String) -> String {
        switch name {
        case "<films> ...":
            language(
                "비교할 영화를 지정하세요. 순위는 따옴표와 함께 씁니다: '#1' '#2'",
                "Missing films. Quote ranks for the shell: '#1' '#2'")
        case "<film>":
            language("영화를 지정하세요. 순위는 따옴표와 함께 씁니다: '#1'", "Missing film. Quote a rank for the shell: '#1'")
        default: language("'\(name)' 인자를 지정하세요.", "Missing argument '\(name)'.")
        }
    }

    private func value(_ value: String, of option: String, known: [String]) -> String {
        if ["xlsx", "xls", "excel"].contains(value), usage.options.contains("--excel") {
            return language("'\(value)' 형식은 없습니다. --excel 옵션을 쓰세요.", "Unknown format '\(value)'. Use --excel.")
        }
        let values = known.joined(separator: ", ")
        return language("'\(value)': '\(option)'에 쓸 수 없는 값입니다.", "Invalid value '\(value)' for '\(option)'.")
            + (values.isEmpty ? "" : language(" 쓸 수 있는 값: \(values).", " Values: \(values)."))
    }

    /// The texts between quotation marks.
    private func quoted(_ text: Substring) -> [String] {
        text.split(separator: "'", omittingEmptySubsequences: false).enumerated()
            .filter { !$0.offset.isMultiple(of: 2) }.map { String($0.element) }
    }
}
