import BoxOffice

/// Writes a chart as `searchDailyBoxOfficeList` does: eighteen strings a row, in upstream's order.
enum ChartWriter {
    static func body(of chart: DemoChart) -> [UInt8] {
        let rows = chart.rows.enumerated().map { row($1, number: $0 + 1) }
        let result = OrderedJSON.object([
            ("boxofficeType", .string("일별 박스오피스")),
            ("showRange", .string("\(chart.day.compact)~\(chart.day.compact)")),
            ("dailyBoxOfficeList", .array(rows)),
        ])
        return OrderedJSON.object([("boxOfficeResult", result)]).bytes
    }

    private static func row(_ row: DemoChartRow, number: Int) -> OrderedJSON {
        let fields: [(String, String)] = [
            ("rnum", String(number)),
            ("rank", String(row.rank)),
            ("rankInten", String(row.rankChange)),
            ("rankOldAndNew", row.isNew ? "NEW" : "OLD"),
            ("movieCd", row.code),
            ("movieNm", row.title),
            // One space, not an empty string, is how upstream says "none".
            ("openDt", row.film.releaseDay?.iso ?? " "),
            ("salesAmt", String(row.sales)),
            ("salesShare", WirePercent.share(of: row.sales, in: row.salesOfTheDay)),
            ("salesInten", String(row.sales - row.salesBefore)),
            ("salesChange", WirePercent.change(from: row.salesBefore, to: row.sales)),
            ("salesAcc", String(row.totalSales)),
            ("audiCnt", String(row.admissions)),
            ("audiInten", String(row.admissions - row.admissionsBefore)),
            ("audiChange", WirePercent.change(from: Int64(row.admissionsBefore), to: Int64(row.admissions))),
            ("audiAcc", String(row.totalAdmissions)),
            ("scrnCnt", String(row.screens)),
            ("showCnt", String(row.showings)),
        ]
        return .object(fields.map { ($0.0, .string($0.1)) })
    }
}
