/// Writes a film's record as `searchMovieInfo` does: every key present, absent values "" or [].
enum DetailWriter {
    /// The source name in place of KOBIS's, so that a body is not taken for KOBIS's data.
    static let source = "demo-upstream (demo data, not KOBIS)"

    static func body(of detail: DemoDetail) -> [UInt8] {
        answer([
            ("movieCd", .string(detail.code)),
            ("movieNm", .string(detail.title)),
            ("movieNmEn", .string(detail.titleEnglish)),
            ("movieNmOg", .string(detail.titleOriginal)),
            ("showTm", .string(detail.minutes.map(String.init) ?? "")),
            ("prdtYear", .string(String(detail.productionYear))),
            ("openDt", .string(detail.openDate)),
            ("prdtStatNm", .string(detail.status)),
            ("typeNm", .string(detail.type)),
            ("nations", .array(detail.nations.map { strings([("nationNm", $0)]) })),
            ("genres", .array(detail.genres.map { strings([("genreNm", $0)]) })),
            ("directors", .array(detail.directors.map { strings(names($0)) })),
            ("actors", .array(detail.actors.map { strings(names($0.person) + [("cast", $0.role), ("castEn", "")]) })),
            (
                "showTypes",
                .array(detail.showTypes.map { strings([("showTypeGroupNm", $0.group), ("showTypeNm", $0.name)]) })
            ),
            ("companys", .array(detail.companies.map(company))),
            ("audits", .array(detail.audits.map { strings([("auditNo", $0.number), ("watchGradeNm", $0.grade)]) })),
            ("staffs", .array(detail.staffs.map { strings(names($0.person) + [("staffRoleNm", $0.role)]) })),
        ])
    }

    /// The answer to an unknown code: a record of empty strings.
    ///
    /// KOBIS's real answer is not recorded; of the possible forms, this one is easiest to mistake for a film, and
    /// therefore the most useful one in a demo.
    static func unknownFilm() -> [UInt8] {
        let scalars = [
            "movieCd", "movieNm", "movieNmEn", "movieNmOg", "showTm", "prdtYear", "openDt", "prdtStatNm", "typeNm",
        ]
        let groups = ["nations", "genres", "directors", "actors", "showTypes", "companys", "audits", "staffs"]
        return answer(scalars.map { ($0, .string("")) } + groups.map { ($0, .array([])) })
    }

    private static func answer(_ members: [(name: String, value: OrderedJSON)]) -> [UInt8] {
        let result = OrderedJSON.object([("movieInfo", .object(members)), ("source", .string(source))])
        return OrderedJSON.object([("movieInfoResult", result)]).bytes
    }

    private static func names(_ person: DemoPerson) -> [(String, String)] {
        [("peopleNm", person.name), ("peopleNmEn", person.nameEnglish)]
    }

    private static func company(_ company: DemoDetail.Company) -> OrderedJSON {
        strings([
            ("companyCd", company.code), ("companyNm", company.name), ("companyNmEn", company.nameEnglish),
            ("companyPartNm", company.part),
        ])
    }

    private static func strings(_ members: [(String, String)]) -> OrderedJSON {
        .object(members.map { ($0.0, .string($0.1)) })
    }
}
