/// The film whose poster is looked for.
public struct SoughtFilm: Sendable, Hashable {
    public let title: String
    /// Of its opening; nil when nobody knows.
    public let year: Int?

    public init(title: String, year: Int?) {
        self.title = title
        self.year = year
    }
}
