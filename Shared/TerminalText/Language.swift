public import ServiceKit

/// The language of what people read.
public enum Language: String, Sendable, CaseIterable {
    case ko, en

    /// From the locale's variables; Korean where they say nothing, since that is what the data is written in.
    public init(_ environment: Environment) {
        let locale = environment["LC_ALL"] ?? environment["LC_MESSAGES"] ?? environment["LANG"] ?? ""
        self = locale.hasPrefix("en") ? .en : .ko
    }

    public func callAsFunction(_ korean: String, _ english: String) -> String {
        self == .ko ? korean : english
    }
}
