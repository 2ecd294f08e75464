public import Localization

extension Language {
    /// The locale's variables, the first that is set counts.
    public static let variables = ["LC_ALL", "LC_MESSAGES", "LANG"]

    /// From the locale's variables; Korean where they say nothing, since that is what the data is written in.
    public init(_ environment: Environment) {
        let locale = Self.variables.lazy.compactMap { environment[$0] }.first ?? ""
        self = locale.hasPrefix("en") ? .en : .ko
    }
}
