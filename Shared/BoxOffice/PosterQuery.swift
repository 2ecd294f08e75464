/// The film whose poster is looked for.
public struct PosterQuery: Sendable, Hashable {
    public let title: String
    /// Of its opening; nil when nobody knows.
    public let year: Year?

    public init(title: String, year: Year?) {
        self.title = title
        self.year = year
    }
}
