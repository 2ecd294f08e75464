import Domain

/// Writes a chart as KOBIS's two endpoints do: eighteen strings a row, in upstream's order.
enum ChartWriter {
    static func body(of chart: DemoChart) -> [UInt8] {
        let rows = chart.rows.enumerated().map { OrderedJSON.object(row($1, number: $0 + 1, of: chart.kind)) }
        var result: [(String, OrderedJSON)] = [
            ("boxofficeType", .string(type(of: chart.kind))),
            ("showRange", .string("\(chart.days.lowerBound.compact)~\(chart.days.upperBound.compact)")),
        ]
        if chart.kind == .daily {
            result.append(("dailyBoxOfficeList", .array(rows)))
        } else {
            result.append(("yearWeekTime", .string(DemoWeek(of: chart.days.lowerBound).yearAndWeek)))
            result.append(("weeklyBoxOfficeList", .array(rows)))
        }
        return OrderedJSON.object([("boxOfficeResult", .object(result))]).bytes
    }

    private static func type(of kind: ChartKind) -> String {
        switch kind {
        case .daily: "일별 박스오피스"
        case .weekly: "주간 박스오피스"
        case .weekend: "주말 박스오피스"
        case .weekdays: "주중 박스오피스"
        }
    }

    private static func row(_ row: DemoChartRow, number: Int, of kind: ChartKind) -> [(String, OrderedJSON)] {
        func change(from before: Int64, to now: Int64) -> String {
            WirePercent.change(from: before, to: now, decimals: kind == .daily ? .whenNeeded : .always)
        }
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
            ("salesShare", WirePercent.share(of: row.sales, in: row.salesOfAll)),
            ("salesInten", String(row.sales - row.salesBefore)),
            ("salesChange", change(from: row.salesBefore, to: row.sales)),
            ("salesAcc", String(row.totalSales)),
            ("audiCnt", String(row.admissions)),
            ("audiInten", String(row.admissions - row.admissionsBefore)),
            ("audiChange", change(from: Int64(row.admissionsBefore), to: Int64(row.admissions))),
            ("audiAcc", String(row.totalAdmissions)),
            ("scrnCnt", String(row.screens)),
            ("showCnt", String(row.showings)),
        ]
        return fields.map { ($0.0, .string($0.1)) }
    }
}
