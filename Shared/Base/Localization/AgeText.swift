/// An age as text, in the largest whole unit.
public struct AgeText: Sendable {
    private let language: Language

    public init(language: Language) {
        self.language = language
    }

    public func text(_ seconds: Int) -> String {
        language("\(span(seconds)) 전", "\(span(seconds)) old")
    }

    /// The text of a duration.
    ///
    /// - Parameter seconds: The duration.
    public func span(_ seconds: Int) -> String {
        switch seconds {
        case ..<60: language("\(max(0, seconds))초", "\(max(0, seconds)) s")
        case ..<3600: language("\(seconds / 60)분", "\(seconds / 60) min")
        case ..<86_400: language("\(seconds / 3600)시간", "\(seconds / 3600) h")
        default: language("\(seconds / 86_400)일", "\(seconds / 86_400) d")
        }
    }
}
