public import ServiceKit

extension StartupError {
    /// What is wrong with a command line and how it should be, in both languages: before it is understood nobody knows
    /// which of them the asker wants.
    public static func usage(_ korean: String, _ english: String) -> StartupError {
        StartupError("\(korean)\n\(english)", exitStatus: ExitStatus.usage)
    }
}
