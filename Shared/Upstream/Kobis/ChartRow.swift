internal import Domain
internal import Upstream

/// One row of a KOBIS chart: eighteen strings; all but the opening date are required.
struct ChartRow: Decodable {
    let entry: ChartEntry

    private enum CodingKeys: String, CodingKey {
        case rnum, rank, rankInten, rankOldAndNew, movieCd, movieNm, openDt
        case salesAmt, salesShare, salesInten, salesChange, salesAcc
        case audiCnt, audiInten, audiChange, audiAcc
        case scrnCnt, showCnt
    }

    init(from decoder: any Decoder) throws {
        let row = try decoder.container(keyedBy: CodingKeys.self)
        let word = try row.text(.rankOldAndNew)
        let presence = ChartPresence(rawValue: word.lowercased())
        guard [.old, .new].contains(presence) else {
            throw row.unreadable(.rankOldAndNew, "\"\(word)\" is neither OLD nor NEW")
        }
        // "Inten" is a difference, "Change" the same in percent.
        entry = ChartEntry(
            rowNumber: try row.integer(.rnum),
            rank: try row.integer(.rank),
            rankChange: try row.integer(.rankInten),
            presence: presence,
            code: try row.text(.movieCd),
            title: try row.text(.movieNm),
            openingDay: try row.dayIfKnown(.openDt),
            salesAmount: try row.integer(.salesAmt),
            salesShare: try row.decimal(.salesShare),
            salesChange: try row.integer(.salesInten),
            salesChangePercent: try row.decimal(.salesChange),
            salesTotal: try row.integer(.salesAcc),
            audience: try row.integer(.audiCnt),
            audienceChange: try row.integer(.audiInten),
            audienceChangePercent: try row.decimal(.audiChange),
            audienceTotal: try row.integer(.audiAcc),
            screens: try row.integer(.scrnCnt),
            showings: try row.integer(.showCnt))
    }
}
