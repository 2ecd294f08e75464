public import ServiceKit

extension StartupError {
    /// What is wrong with a command line and how it should be, in both languages: what it says of the language may be
    /// what is wrong with it.
    public static func usage(_ korean: String, _ english: String) -> StartupError {
        StartupError("\(korean)\n\(english)", exitStatus: ExitStatus.usage)
    }
}
