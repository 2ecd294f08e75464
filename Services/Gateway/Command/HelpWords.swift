import ArgumentParser
import GatewayCore
import Localization
import ProcessKit
import TerminalText

/// That of the answers, which is known before the command line is.
private let language = Language(words: Array(CommandLine.arguments.dropFirst()), .process)

/// A sentence of help.
func say(_ korean: String, _ english: String) -> String { language(korean, english) }

extension ArgumentHelp {
    static func words(_ korean: String, _ english: String, valueName: String? = nil) -> ArgumentHelp {
        ArgumentHelp(say(korean, english), valueName: valueName)
    }
}

/// In which language people are told; help has looked for it before it is parsed.
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
    /// The same for the parser, which ends with its own exit code for any other error.
    static func usage(_ korean: String, _ english: String) -> ValidationError {
        ValidationError(StartupError.usage(korean, english).description)
    }
}
