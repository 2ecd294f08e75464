import ArgumentParser
import Localization
import ProcessKit
import TerminalText

extension ArgumentHelp {
    static func words(_ korean: String, _ english: String, valueName: String? = nil) -> ArgumentHelp {
        ArgumentHelp(say(korean, english), valueName: valueName)
    }
}

/// The language of the output; help determines it before parsing.
struct LanguageOption: ParsableArguments {
    @Option(help: .words("글의 언어: ko나 en. 기본값: 로캘의 언어.", "Language of the text: ko or en; default: the locale's."))
    var lang: String?

    func validate() throws {
        if let lang, Language(rawValue: lang) == nil {
            throw ValidationError.usage("--lang은 ko나 en입니다.", "--lang takes ko or en.")
        }
    }
}

extension ValidationError {
    /// The same error for the parser, which exits with its own code for any other error.
    static func usage(_ korean: String, _ english: String) -> ValidationError {
        ValidationError(StartupError.usage(korean, english).description)
    }
}
