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
