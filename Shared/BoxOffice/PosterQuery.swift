/// The film of a poster search.
public struct PosterQuery: Sendable, Hashable {
    public let title: String
    /// The year of its opening; nil when it is unknown.
    public let year: Year?

    public init(title: String, year: Year?) {
        self.title = title
        self.year = year
    }
}
