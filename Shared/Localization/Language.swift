/// The language of output for users.
public enum Language: String, Sendable, CaseIterable {
    case ko, en

    public func callAsFunction(_ korean: String, _ english: String) -> String {
        self == .ko ? korean : english
    }
}
