/// Bodies in the format of recorded ones, written for these tests.
enum RecordingFixtures {
    /// Two films; the second has no opening date and a space after its title. Indented and with a line end, so that a body
    /// that was decoded and written anew would be noticed.
    static let chart = """
        {
          "boxOfficeResult": { "boxofficeType": "일별 박스오피스", "showRange": "20220105~20220105",
            "dailyBoxOfficeList": [
              { "rnum": "1", "rank": "1", "movieCd": "20990001", "movieNm": "시험 영화", "openDt": "2022-01-05" },
              { "rnum": "2", "rank": "2", "movieCd": "2099C002", "movieNm": "날짜 없는 영화 ", "openDt": " " }
            ] } }

        """

    static func detail(_ code: String = "20990001") -> String {
        #"{"movieInfoResult":{"movieInfo":{"movieCd":"\#(code)","movieNm":"시험 영화","openDt":"20220105"}}}"# + "\r\n"
    }

    /// Hits on a site to which no caller may be directed.
    static func images(_ count: Int) -> String {
        let documents = (1...max(1, count)).prefix(count).map { number in
            """
            {"collection":"blog","datetime":"2023-06-10T12:36:5\(number % 10).000+09:00","display_sitename":"어느 블로그",
            "doc_url":"https://elsewhere.example/\(number)","height":\(800 + number),
            "image_url":"http://elsewhere.example/\(number).jpg",
            "thumbnail_url":"https://elsewhere.example/t\(number)","width":600}
            """
        }
        return #"{"documents":[\#(documents.joined(separator: ","))],"meta":{"is_end":false,"pageable_count":900,"#
            + #""total_count":1797}}"#
    }
}
