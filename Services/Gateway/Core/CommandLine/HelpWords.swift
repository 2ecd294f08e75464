import ArgumentParser
import Localization
import ProcessKit
import TerminalText

extension ArgumentHelp {
    static func words(_ korean: String, _ english: String, valueName: String? = nil) -> ArgumentHelp {
        ArgumentHelp(say(korean, english), valueName: valueName)
    }
}

/// The language of the output, for help and completions: it is read before the parser (see `CommandLineWords`).
struct LanguageOption: ParsableArguments {
    @Option(
        help: .words(
            "출력 언어: ko, en. 기본값: $BOXOFFICE_LANG나 로캘.",
            "Language of the output: ko or en; default: $BOXOFFICE_LANG, else the locale's."),
        completion: .list(["ko", "en"]))
    var lang: String?
}

extension ValidationError {
    /// What is wrong with a command line, and its correct form.
    static func usage(_ korean: String, _ english: String) -> ValidationError { ValidationError(say(korean, english)) }
}

extension StartupError {
    /// The same outside the parser.
    static func usage(_ korean: String, _ english: String) -> StartupError {
        StartupError(say(korean, english), exitStatus: ExitStatus.usage)
    }
}
