public import BoxOffice

/// What a line tells of a film's detail.
///
/// A decoder takes its time by the value: that of a whole detail is spent on cast and companies, which a line leaves out.
/// What it does not tell may be broken.
public struct FilmBrief: Decodable {
    public struct Director: Decodable {
        public let name: String
    }

    public let directors: [Director]
    public let ratings: [Rating]
    public let runningMinutes: Int?
    public let genres: [String]
}
