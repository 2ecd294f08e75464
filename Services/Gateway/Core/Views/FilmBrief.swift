import BoxOffice

/// What a line tells of a film's detail.
///
/// A decoder takes its time by the value: that of a whole detail is spent on cast and companies, which a line leaves out.
/// What it does not tell may be broken.
struct FilmBrief: Decodable {
    struct Director: Decodable {
        let name: String
    }

    let directors: [Director]
    let ratings: [Rating]
    let runningMinutes: Int?
    let genres: [String]
}
