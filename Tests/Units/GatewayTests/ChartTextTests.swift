import Domain
import Envelope
import Foundation
import Localization
import TerminalText
import TestSupport
import Testing

@testable import GatewayCore

@Suite struct ChartTextTests {
    /// Rows of every kind, with titles of every script and both spellings of Hangul.
    private static let mixed = [
        Samples.entry(1, "경관의 피", presence: .new), Samples.entry(2, "스파이더맨: 노 웨이 홈", change: -1, audience: 0, total: 0),
        Samples.entry(3, "SING 2", change: 12), Samples.entry(4, "\u{1100}\u{1167}\u{11BC}\u{1100}\u{116A}\u{11AB}"),
        Samples.entry(5, "Amélie e\u{301}", change: 3), Samples.entry(7, "君の名は。", change: -250),
        Samples.entry(10, "a", audience: 123_456_789_012, total: -1),
    ]

    /// The columns of a text, counted independently of the code under test.
    private func columns(_ text: some StringProtocol) -> Int {
        String(text).precomposedStringWithCanonicalMapping.unicodeScalars.reduce(0) { count, scalar in
            switch scalar.value {
            case 0xAC00...0xD7A3, 0x3000...0x30FF, 0x4E00...0x9FFF: count + 2
            default: count + 1
            }
        }
    }

    private func unpainted(_ text: String) -> String {
        text.replacing(/\u{1B}\[[0-9]+m/, with: "")
    }

    @Test(arguments: [(Language.ko, "당일"), (.en, "day")])
    func `columns of all rows are aligned`(language: Language, word: String) throws {
        for style in [Samples.plain, Samples.coloured] {
            let table = ChartText(language: language, style: style).list(Self.mixed)
            let rows = table.lines.map(unpainted)
            #expect(rows.count == Self.mixed.count)
            let starts = try rows.map { row in columns(row[..<(try #require(row.range(of: "  \(word) "))).lowerBound]) }
            #expect(Set(starts).count == 1, "\(starts)")
            let titles = try zip(rows, Self.mixed).map { row, entry in
                columns(row[..<(try #require(row.range(of: entry.title))).lowerBound])
            }
            #expect(Set(titles) == [table.start])
        }
    }

    @Test func `a row is rank, movement, title and the audience of the day and of all days`() {
        let rows = ChartText(language: .ko, style: Samples.plain).list(Array(Self.mixed.prefix(3))).lines
        #expect(
            rows == [
                "  1  신작  경관의 피               당일 64,050 / 총 6,012,345",
                "  2  ▼1    스파이더맨: 노 웨이 홈  당일 0 / 총 0",
                "  3  ▲12   SING 2                  당일 64,050 / 총 6,012,345",
            ])
        #expect(
            ChartText(language: .en, style: Samples.plain).list([Self.mixed[0], Self.mixed[3]]).lines == [
                "  1  NEW   경관의 피  day 64,050 / total 6,012,345",
                "  4  -     \u{ACBD}\u{AD00}       day 64,050 / total 6,012,345",
            ])
    }

    @Test(arguments: [
        (Samples.entry(1, "a", presence: .new), "\u{1B}[31m신작\u{1B}[0m"),
        (Samples.entry(1, "a", change: 3), "\u{1B}[31m▲\u{1B}[0m3"),
        (Samples.entry(1, "a", change: -3), "\u{1B}[34m▼\u{1B}[0m3"), (Samples.entry(1, "a"), "-"),
    ])
    func `colour is on the triangle or on 신작, and nowhere else`(entry: ChartEntry, movement: String) {
        let plain = ChartText(language: .ko, style: Samples.plain).list([entry]).lines[0]
        let painted = ChartText(language: .ko, style: Samples.coloured).list([entry]).lines[0]
        #expect(painted.contains("  1  \(movement) "))
        #expect(painted.replacing(movement, with: "").contains("\u{1B}") == false)
        #expect(unpainted(painted) == plain)
    }

    @Test(arguments: [
        (0, "0"), (999, "999"), (1000, "1,000"), (-1, "-1"), (-999, "-999"), (-1000, "-1,000"), (64_050, "64,050"),
        (123_456_789_012, "123,456,789,012"), (-123_456_789_012, "-123,456,789,012"),
        (.min, "-9,223,372,036,854,775,808"),
    ])
    func `thousands are separated`(number: Int, text: String) {
        #expect(number.withSeparators == text)
    }

    @Test func `the heading is the date, its weekday and the state of the chart`() {
        let korean = ChartHeading(language: .ko, style: Samples.plain)
        #expect(
            korean.line(.daily(Samples.date), isProvisional: false, source: .upstream)
                == "박스오피스 2022-01-05 수요일  확정 · KOBIS")
        let english = ChartHeading(language: .en, style: Samples.plain)
        #expect(
            english.line(.daily(Samples.date.advanced(by: 4)), isProvisional: true, source: .upstream)
                == "Box office 2022-01-09 Sunday  provisional · KOBIS")
        #expect(
            english.line(.daily(Samples.date.advanced(by: 5)), isProvisional: true, source: .upstream).contains(
                "2022-01-10 Monday"))
    }

    @Test func `data that is not genuine is labelled in the heading`() {
        for (source, ko, en) in [
            (DataSource.demo, "데모 데이터", "demo data"), (.recorded, "녹화된 자료", "recorded data"),
            (DataSource(rawValue: "of a later release"), "데모 데이터", "demo data"),
        ] {
            let lines = Language.allCases.map {
                ChartHeading(language: $0, style: Samples.plain)
                    .line(.daily(Samples.date), isProvisional: false, source: source)
            }
            #expect(lines[0].hasSuffix("  확정 · \(ko)") && lines[1].hasSuffix("  settled · \(en)"))
        }
    }

    @Test func `a title cannot control the terminal or break its row`() {
        let rows = ChartText(language: .ko, style: Samples.plain).list([
            Samples.entry(1, "a\n\u{1B}[2Jb\u{9B}c"), Samples.entry(2, "경관의 피"),
        ]).lines
        #expect(rows[0].contains(#"  -     a\n\u{1B}[2Jb\u{009B}c  당일"#))
        #expect(rows[1].contains("당일"))
    }

    @Test func `a chart without films has no rows`() {
        #expect(ChartText(language: .ko, style: Samples.plain).list([]).lines.isEmpty)
    }
}
