import TerminalText
import TestSupport
import Testing

@testable import GatewayCore

/// Charts of a range of days. The clock is at 2026-01-01 09:00 in Seoul.
@Suite(.timeLimit(.minutes(2)), .scene()) struct RangeTests {
    let scene: GatewayScene

    init() throws {
        scene = try GatewayScene.shared
    }

    @Test func `records have a row for each day and film, and one head`() async {
        let range = await scene.answered(
            "chart 2025-10-01..2025-11-05 --format csv --fields date,rank,code,audience,state")
        #expect(range.lines.count == 1 + 36 * 10 + 1)
        #expect(range.lines.filter { $0.hasPrefix("date,") }.count == 1)
        let day = await scene.answered("chart 2025-11-04 --format csv --fields date,rank,code,audience")
        let same = range.lines.filter { $0.hasPrefix("2025-11-04,") }
        #expect(same == day.lines.dropFirst().dropLast().map { "\($0),settled" })
    }

    @Test func `what is not fetched is neither zero nor empty, and how to fetch it is said`() async {
        let some = await scene.answered("chart 2025-02 --calls 3 --format ndjson --lang en")
        #expect(some.lines.count == 30 + 1)
        #expect(
            some.errors
                == "gateway: Showing 3 of 28 charts. To fetch the other 25: gateway archive fill 2025-02-01..2025-02-28\n"
        )
        let none = await scene.gateway("chart 2025-03 --offline --lang ko")
        #expect(none.status == 66 && none.output.contains("2025-03-01 토요일  가져온 적 없음"), "\(none)")
        #expect(await scene.gateway("chart 2025-02 --offline --strict").status == 75)
    }

    @Test func `JSON is one object, as its schema describes it`() async throws {
        let pages = await scene.answered("chart 2025-05..2025-06-10 --calls 2 --json")
        let films = await scene.answered("chart 2025-05..2025-06-10 --calls 0 --json=date,rank,state")
        let unknown = await scene.gateway("chart 2024-05 --offline --json")
        #expect(try await FormatTests.complaints([pages, films, unknown].map(\.output), schema: "chart-range") == "")
        struct Range: Decodable {
            struct Chart: Decodable { let date, state: String }
            let charts: [Chart]
            let calls: Int
            let complete: Bool
        }
        let decoded: Range = try pages.decoded()
        #expect(decoded.charts.count == 41 && decoded.calls == 2 && !decoded.complete)
        #expect(decoded.charts.map(\.state) == ["settled", "settled"] + Array(repeating: "unknown", count: 39))
    }

    @Test func `weekends of a month, and text with a heading for each chart`() async {
        let printed = await scene.answered("chart 2025-12 --weekend --top 1 --lang en --calls 5")
        let headings = printed.lines.filter { $0.hasPrefix("Weekend box office") }
        // That of the running week has not begun.
        let weekends = ["2025-12-05", "2025-12-12", "2025-12-19", "2025-12-26"]
        #expect(headings.map { String($0.prefix(29).suffix(10)) } == weekends && printed.errors.isEmpty, "\(printed)")
    }

    @Test func `a table can be made for Excel, or without its head`() async {
        let plain = await scene.answered("chart 2025-10-01..2025-11-05 --format csv")
        let excel = await scene.answered("chart 2025-10-01..2025-11-05 --excel --fields date,code,관객수,movement")
        #expect(excel.output.hasPrefix("\u{FEFF}날짜,영화코드,관객수,변동\r\n") && excel.output.contains(",▲ "))
        let korean = await scene.answered("chart 2025-11-05 --nation 한국 --excel --fields rank,area,nation,diversity")
        #expect(korean.output.contains("\r\n1,전국,한국영화,전체\r\n"), "\(korean)")
        #expect(excel.output.split(separator: "\r\n").count == plain.lines.count - 1)
        let rows = await scene.answered("chart 2025-10-01..2025-11-05 -o csv --no-header")
        #expect(rows.lines == Array(plain.lines.dropFirst()))
        for line in ["show --excel --json", "show --excel -o tsv", "show --no-header", "show --no-header --json"] {
            let refused = await scene.gateway("\(line) --lang en")
            #expect(
                refused.status == 64
                    && refused.errors.contains(line.contains("excel") ? "--excel needs" : "--no-header needs"))
        }
    }

    @Test func `a range can be written as people say it`() async {
        let week = await scene.answered("chart 지난주 --top 1 -o csv --fields date")
        #expect(week.lines.dropFirst().dropLast() == (22...28).map { "2025-12-\($0)" }[...])
        let day = await scene.answered("chart 12월25일 --top 1 -o csv --fields date")
        #expect(day.lines.dropFirst().first == "2025-12-25")
    }

    @Test(arguments: [
        ("chart 2025-12-05..2025-12-01", "The range ends (2025-12-01) before it starts (2025-12-05)."),
        ("chart 2025-12-05..x", "Invalid date or range '2025-12-05..x'."),
        ("chart 2002", "No day of this range has a chart."),
        ("chart 2025-12 --area 서울", "--area, --nation and --diversity need a single day"),
        ("chart 2025-12 --calls 1001", "--calls takes 0 to 1000"),
        ("chart nonsense", "Invalid date or range 'nonsense'."),
    ])
    func `an impossible range is refused without a call`(line: String, reason: String) async throws {
        let calls = try await scene.upstream.calls {
            let printed = await scene.gateway("\(line) --lang en")
            #expect(printed.status == 64 && printed.output.isEmpty && printed.errors.contains(reason), "\(printed)")
        }
        #expect(calls.isEmpty)
    }

    @Test(arguments: [40, 80, 160]) func `no line is wider than the terminal`(columns: Int) async {
        for view in ["", "--wide", "--grid"] {
            let printed = await scene.gateway("chart 2025-07-01..2025-07-03 --calls 2 \(view)", columns: columns)
            #expect(printed.lines.allSatisfy { TextWidth.narrow.columns($0) <= columns }, "\(printed)")
        }
    }
}

/// A stack without an archive. The clock is at 2026-01-01 09:00 in Seoul.
@Suite(.timeLimit(.minutes(1)), .scene(hasArchive: false)) struct RangeWithoutArchiveTests {
    @Test func `a range says that the archive is missing, and a day needs none`() async throws {
        let scene = try GatewayScene.shared
        let range = await scene.gateway("chart 2025-12 --lang en")
        #expect(range.status == 69 && range.errors.contains("archive"), "\(range)")
        await scene.answered("chart 2025-12-01")
    }

    @Test(arguments: [
        "top 2025-12", "compare 20199001 20199002", "share 2025-12", "records", "records 2025-12", "new 2025-12",
    ]) func `a question about time says so, too`(line: String) async throws {
        let printed = await (try GatewayScene.shared).gateway("\(line) --lang en")
        #expect(printed.status == 69 && printed.output.isEmpty && printed.errors.contains("archive"), "\(printed)")
    }

    @Test func `briefs, directors and titles need none`() async throws {
        let scene = try GatewayScene.shared
        await scene.answered("brief 2025-12-01")
        await scene.answered("movie #1 --date 2025-12-01")
        let director = await scene.answered(
            "movie #1 --date 2025-12-01 --format csv --no-header --fields directors"
        ).lines[0].split(separator: ";")[0]
        let films = await scene.answered("person", String(director), "--lang", "en")
        #expect(films.errors.contains("archive") && films.lines.count > 3, "\(films)")
    }
}
