public import Localization

extension Language {
    /// The variables of the locale; the first one that is set applies.
    public static let variables = ["LC_ALL", "LC_MESSAGES", "LANG"]

    /// The language of the locale's variables; Korean if they are not set, because the data is in Korean.
    public init(_ environment: Environment) {
        let locale = Self.variables.lazy.compactMap { environment[$0] }.first ?? ""
        self = locale.hasPrefix("en") ? .en : .ko
    }
}
