public import ArgumentParser
public import Localization
public import ProcessKit

/// The language of the current command line's output, for texts that the parser asks for without arguments.
public enum OutputLanguage {
    @TaskLocal public static var current = Language.ko
}

/// A sentence of the help, in the current language.
public func say(_ korean: String, _ english: String) -> String { OutputLanguage.current(korean, english) }

extension ArgumentHelp {
    public static func words(_ korean: String, _ english: String, valueName: String? = nil) -> ArgumentHelp {
        ArgumentHelp(say(korean, english), valueName: valueName)
    }
}

/// The language of the output, for help and completions: it is read before the parser (see `LanguageWords`).
public struct LanguageOption: ParsableArguments, Sendable {
    @Option(
        help: .words(
            "출력 언어: ko, en (기본값: $BOXOFFICE_LANG 또는 로캘)",
            "Output language: ko or en (default: $BOXOFFICE_LANG, else the locale)."),
        completion: .list(["ko", "en"]))
    public var lang: String?

    public init() {}
}

/// Where the broker is, for every program that joins a bus.
public struct BrokerOption: ParsableArguments, Sendable {
    @Option(
        help: .words(
            "브로커 주소(기본값: $BOXOFFICE_BROKER, 실행 디렉터리)",
            "Endpoint of the broker (default: $BOXOFFICE_BROKER, else the run directory's)."))
    public var broker: String?

    public init() {}
}

extension ValidationError {
    /// What is wrong with a command line, and its correct form.
    public static func usage(_ korean: String, _ english: String) -> ValidationError {
        ValidationError(say(korean, english))
    }
}

extension StartupError {
    /// The same outside the parser.
    public static func usage(_ korean: String, _ english: String) -> StartupError {
        StartupError(LocalizedText(ko: korean, en: english), exitStatus: ExitStatus.usage)
    }
}
