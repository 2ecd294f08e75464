import Foundation
import Testing

extension ProcessTests.CommandLineTests {
    /// Tables of charts in the programs for which people export them.
    @Suite(.serialized, .stack()) struct SpreadsheetTests {
        private struct Reading: Decodable {
            let pandas, duckdb: [String: String]
            let pandasSum, duckdbSum: Int
            let rows: [Int]
            let firstDay: [String]
        }

        let stack: TestStack

        init() throws {
            stack = try TestStack.shared
        }

        @Test func `pandas and DuckDB read a month with the right types`() async throws {
            let table = stack.runFolder + "/month.csv"
            let csv = try await stack.gateway(["chart", "2016-02", "-o", "csv"])
            try #require(csv.status == 0)
            try Data(csv.output.utf8).write(to: URL(fileURLWithPath: table))
            let read = try await stack.shell(
                "python3 '\(Repository.root)/Tests/Processes/Fixtures/spreadsheets.py' '\(table)'")
            try #require(read.status == 0, "\(read)")
            let reading: Reading = try read.decoded()
            #expect(reading.rows == [290, 290] && reading.firstDay == ["2016-02-01", "2016-02-01"])
            #expect(reading.pandasSum == reading.duckdbSum && reading.pandasSum > 1_000_000)
            let numbers = ["rank", "audience", "audienceTotal", "salesAmount", "screens"]
            for name in numbers {
                #expect(reading.pandas[name] == "int64" && reading.duckdb[name] == "BIGINT", "\(name) \(reading)")
            }
            #expect(reading.pandas["date"] == "datetime64[ns]" && reading.duckdb["date"] == "DATE")
            #expect(reading.duckdb["openingDay"] == "DATE" && reading.duckdb["salesShare"] == "DOUBLE")
            #expect(reading.pandas["title"] == "object" && reading.pandas["reentry"] == "bool")
        }
    }
}
