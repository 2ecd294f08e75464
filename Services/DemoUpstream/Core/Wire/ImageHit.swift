/// One hit of an image search; its picture is always one that this server draws.
struct ImageHit: Sendable {
    let collection: String
    /// "2023-06-10T12:36:51.000+09:00"
    let datetime: String
    let siteName: String
    let width: Int
    let height: Int
    /// The picture; the writer derives addresses of this server from it.
    let picture: PosterAddress
}
