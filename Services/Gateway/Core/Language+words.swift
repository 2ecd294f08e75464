public import Localization
public import ProcessKit
import TerminalText

extension Language {
    /// What `--lang` says on a command line, whatever else is wrong with it; else the locale's.
    public init(words: [String], _ environment: Environment) {
        let options = words.prefix { $0 != "--" }
        let told = options.enumerated().compactMap { index, word -> Language? in
            if word == "--lang" { return options.dropFirst(index + 1).first.flatMap(Language.init) }
            return word.hasPrefix("--lang=") ? Language(rawValue: String(word.dropFirst("--lang=".count))) : nil
        }
        self = told.last ?? Language(environment)
    }
}
