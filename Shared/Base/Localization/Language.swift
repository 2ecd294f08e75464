/// The language of output for users.
public enum Language: String, Sendable, CaseIterable {
    case ko, en

    public func callAsFunction(_ korean: String, _ english: String) -> String {
        self == .ko ? korean : english
    }
}

/// A sentence in the product's two languages.
public struct LocalizedText: Codable, Sendable, Equatable {
    public let ko: String
    public let en: String

    public init(ko: String, en: String) {
        self.ko = ko
        self.en = en
    }

    /// The sentence in one language.
    public func callAsFunction(_ language: Language) -> String { language == .ko ? ko : en }
}
