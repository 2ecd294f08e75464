/// The upstream's bodies for a strict decoder: a scalar that is not a string does not decode.
enum Wire {
    struct Chart: Decodable {
        struct Result: Decodable {
            let boxofficeType: String
            let showRange: String
            let dailyBoxOfficeList: [[String: String]]
        }

        let boxOfficeResult: Result

        var rows: [[String: String]] { boxOfficeResult.dailyBoxOfficeList }
    }

    struct WeekChart: Decodable {
        struct Result: Decodable {
            let boxofficeType: String
            let showRange: String
            let yearWeekTime: String
            let weeklyBoxOfficeList: [[String: String]]
        }

        let boxOfficeResult: Result
    }

    struct FilmList: Decodable {
        struct Result: Decodable {
            /// The one number on KOBIS's wire.
            let totCnt: Int
            let movieList: [Film]
        }

        struct Film: Decodable {
            let movieCd, movieNm, movieNmEn, prdtYear, openDt, typeNm, prdtStatNm, nationAlt, genreAlt: String
            let repNationNm, repGenreNm: String
            let directors, companys: [[String: String]]
        }

        let movieListResult: Result
    }

    struct Fault: Decodable {
        struct Info: Decodable {
            let message: String
            let errorCode: String
        }

        let faultInfo: Info
    }

    struct Detail: Decodable {
        struct Result: Decodable {
            let movieInfo: Film
            let source: String?
        }

        struct Film: Decodable {
            let movieCd, movieNm, movieNmEn, movieNmOg, showTm, prdtYear, openDt, prdtStatNm, typeNm: String
            let nations, genres, directors, actors, showTypes, companys, audits, staffs: [[String: String]]
        }

        let movieInfoResult: Result

        var film: Film { movieInfoResult.movieInfo }
    }

    struct Images: Decodable {
        struct Document: Decodable {
            let collection, datetime, display_sitename, doc_url, image_url, thumbnail_url: String
            let height, width: Int
        }

        struct Meta: Decodable {
            let is_end: Bool
            let pageable_count, total_count: Int
        }

        let documents: [Document]
        let meta: Meta
    }

    struct Refusal: Decodable, Equatable {
        let errorType: String
        let message: String
    }
}

extension [String: String] {
    /// A numeric field; a missing or unreadable one becomes a number that no check accepts.
    func number(_ name: String) -> Int {
        self[name].flatMap { Int($0) } ?? Int.min / 4
    }
}
