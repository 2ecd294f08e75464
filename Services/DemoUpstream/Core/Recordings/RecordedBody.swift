/// The parts of recorded bodies that the demo reads; the bodies themselves are served unchanged.
enum RecordedBody {
    struct Chart: Decodable {
        struct Result: Decodable {
            let showRange: String?
            let dailyBoxOfficeList: [Row]?
            let weeklyBoxOfficeList: [Row]?
        }

        struct Row: Decodable {
            let movieCd: String
            let movieNm: String
            let openDt: String?
        }

        let boxOfficeResult: Result
    }

    struct Detail: Decodable {
        struct Result: Decodable {
            let movieInfo: Film
        }

        let movieInfoResult: Result
    }

    struct FilmList: Decodable {
        struct Result: Decodable {
            let movieList: [Film]
        }

        let movieListResult: Result
    }

    /// A film as both of the endpoints about films write it.
    struct Film: Decodable {
        let movieCd: String
        let movieNm: String
        let openDt: String?
        let prdtYear: String?
        let directors: [Director]?
        let genres: [Genre]?
        let nations: [Nation]?
    }

    struct Director: Decodable {
        let peopleNm: String
    }

    struct Genre: Decodable {
        let genreNm: String
    }

    struct Nation: Decodable {
        let nationNm: String
    }

    struct Images: Decodable {
        struct Document: Decodable {
            // No addresses: the address of a recorded hit is never read, so it cannot be passed on.
            let collection: String?
            let datetime: String?
            let displaySiteName: String?
            let width: Int
            let height: Int

            enum CodingKeys: String, CodingKey {
                case collection, datetime, width, height
                case displaySiteName = "display_sitename"
            }
        }

        struct Meta: Decodable {
            let totalCount: Int

            enum CodingKeys: String, CodingKey {
                case totalCount = "total_count"
            }
        }

        let documents: [Document]
        let meta: Meta
    }
}
