import Domain

@testable import DemoUpstreamCore

/// The rules within a chart and between the charts of two days; each violation becomes one line.
enum ChartRules {
    typealias Row = [String: String]

    static func violations(within rows: [Row], on day: Day) -> [String] {
        var violations: [String] = []
        let counts = rows.map { $0.number("audiCnt") }
        if rows.count != 10 { violations.append("\(day): \(rows.count) rows") }
        if counts != counts.sorted(by: >) { violations.append("\(day): not in the order of admissions") }
        let shares = rows.compactMap { $0["salesShare"].flatMap(Double.init) }
        if shares.count != rows.count || shares.reduce(0, +) > 100.5 { violations.append("\(day): shares \(shares)") }
        for (index, row) in rows.enumerated() {
            let rank = counts.filter { $0 > row.number("audiCnt") }.count + 1
            let isSound =
                row.number("rnum") == index + 1 && row.number("rank") == rank && row.number("audiCnt") > 0
                && row.number("audiAcc") >= row.number("audiCnt") && row.number("salesAcc") >= row.number("salesAmt")
                && row.number("scrnCnt") >= 1 && row.number("showCnt") >= row.number("scrnCnt") && row.count == 18
                && isSoundChange(row, "audi", count: "audiCnt") && isSoundChange(row, "sales", count: "salesAmt")
            if !isSound { violations.append("\(day): \(row)") }
        }
        return violations
    }

    /// Checks the films that both lists hold.
    static func violations(from before: [Row], to after: [Row], on day: Day) -> [String] {
        after.compactMap { row in
            guard let old = before.first(where: { $0["movieCd"] == row["movieCd"] }) else { return nil }
            let agrees =
                row.number("audiAcc") == old.number("audiAcc") + row.number("audiCnt")
                && row.number("salesAcc") == old.number("salesAcc") + row.number("salesAmt")
                && row.number("audiInten") == row.number("audiCnt") - old.number("audiCnt")
                && row.number("salesInten") == row.number("salesAmt") - old.number("salesAmt")
                && row.number("rankInten") == old.number("rank") - row.number("rank")
                && row["rankOldAndNew"] == "OLD" && row["openDt"] == old["openDt"] && row["movieNm"] == old["movieNm"]
            return agrees ? nil : "\(day): \(old) became \(row)"
        }
    }

    /// Checks all films of the list against the whole ranking of the day before, also its unpublished part.
    static func violations(of rows: [Row], on day: Day, against before: DemoRanking) -> [String] {
        rows.compactMap { row in
            let place = row["movieCd"].flatMap(DemoFilm.id(ofCode:)).flatMap(before.place(of:))
            let agrees: Bool
            if let place {
                agrees =
                    row["rankOldAndNew"] == "OLD" && row.number("rankInten") == place.rank - row.number("rank")
                    && row.number("audiCnt") - row.number("audiInten") == place.admissions
            } else {
                agrees =
                    row["rankOldAndNew"] == "NEW" && row["rankInten"] == "0" && row["audiChange"] == "100"
                    && row["audiInten"] == row["audiCnt"] && row["salesInten"] == row["salesAmt"]
            }
            return agrees ? nil : "\(day): \(row) after place \(place.map { "\($0.rank)" } ?? "none")"
        }
    }

    private static func isSoundChange(_ row: Row, _ name: String, count: String) -> Bool {
        guard let change = row["\(name)Change"].flatMap(Double.init) else { return false }
        let before = row.number(count) - row.number("\(name)Inten")
        guard before > 0 else { return change == 100 }
        return abs(change - Double(row.number("\(name)Inten")) * 100 / Double(before)) <= 0.0501
    }
}
