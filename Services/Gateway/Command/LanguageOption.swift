import ArgumentParser
import GatewayCore
import Localization
import TerminalText

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
