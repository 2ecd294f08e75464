import Domain
import Foundation
import Testing

@Suite struct ChartTests {
    @Test(
        arguments: [
            (.new, 0, .new), (.new, 5, .new), (.old, 0, .same), (.old, 1, .up(1)), (.old, 121, .up(121)),
            (.old, -1, .down(1)), (.old, -8, .down(8)), (.old, .min, .down(.max)),
        ] as [(ChartPresence, Int, Movement)])
    func `movement follows presence and the change of rank`(presence: ChartPresence, change: Int, movement: Movement) {
        #expect(entry(presence: presence, rankChange: change).movement == movement)
    }

    @Test(
        arguments: [
            // Fourteen days after the opening it is new, on the fifteenth a re-entry.
            (.new, "2022-01-05", false), (.new, "2021-12-22", false), (.new, "2021-12-21", true),
            (.new, "1994-07-02", true), (.new, "2022-01-20", false), (.new, nil, false), (.old, "1994-07-02", false),
        ] as [(ChartPresence, String?, Bool)])
    func `a new film that opened more than fourteen days ago is a re-entry`(
        presence: ChartPresence, opening: String?, isReentry: Bool
    ) throws {
        let date = try #require(Day("2022-01-05"))
        let film = entry(presence: presence, opening: opening.flatMap(Day.init(iso:)))
        #expect(film.isReentry(on: date) == isReentry)
    }

    @Test func `the JSON of a chart is the public contract`() throws {
        let date = try #require(Day("2022-01-05"))
        let chart = Chart(
            .daily(date), entries: [entry(presence: .new, opening: Day("1994-07-02")), entry(code: "2023C632")])
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        let attributes = """
            "rank":1,"rankChange":0,"reentry":REENTRY,"rowNumber":1,"salesAmount":123456789012,"salesChange":-5,\
            "salesChangePercent":122279.3,"salesShare":34.2,"salesTotal":223456789012,"screens":7,"showings":8,\
            "title":"제목"
            """
        let audience = """
            "audience":3,"audienceChange":-4,"audienceChangePercent":-15.3,"audienceTotal":9
            """
        let expected = """
            {"date":"2022-01-05","entries":[{\(audience),"code":"20199882","openingDay":"1994-07-02",\
            "presence":"new",\(attributes.replacing("REENTRY", with: "true"))},\
            {\(audience),"code":"2023C632","openingDay":null,"presence":"old",\(attributes.replacing("REENTRY", with: "false"))}],\
            "filter":null,"kind":"daily","through":null}
            """
        let bytes = try encoder.encode(chart)
        #expect(String(decoding: bytes, as: UTF8.self) == expected)
        #expect(try JSONDecoder().decode(Chart.self, from: bytes) == chart)
    }

    @Test func `the JSON of a part of a week's chart contains the filter and the last day`() throws {
        let day = try #require(Day("2022-01-05"))
        let filter = ChartFilter(region: .seoul, nation: .korean, diversity: .diverse)
        let chart = Chart(ChartSelection(.weekend, around: day, filter: filter), entries: [])
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        let bytes = try encoder.encode(chart)
        #expect(
            String(decoding: bytes, as: UTF8.self)
                == #"{"date":"2022-01-07","entries":[],"filter":{"diversity":"diverse","nation":"korean","region":"seoul"},"#
                + #""kind":"weekend","through":"2022-01-09"}"#)
        #expect(try JSONDecoder().decode(Chart.self, from: bytes) == chart)
    }

    @Test(arguments: [#""kind":"hourly""#, #""kind":"daily","filter":{"region":"atlantis"}"#])
    func `a chart of an unknown kind or region is not read as another`(words: String) {
        #expect(throws: DecodingError.self) {
            try JSONDecoder().decode(Chart.self, from: Data(#"{"date":"2022-01-05",\#(words),"entries":[]}"#.utf8))
        }
    }

    @Test(arguments: [Movement.new, .same, .up(3), .down(121)])
    func `a movement reads back from JSON`(movement: Movement) throws {
        let bytes = try JSONEncoder().encode([movement])
        #expect(String(decoding: bytes, as: UTF8.self) == "[\"\(movement)\"]")
        #expect(try JSONDecoder().decode([Movement].self, from: bytes) == [movement])
    }

    @Test(arguments: ["", "up", "up 0", "up -3", "up 3 4", "up  3", "new 3", "same ", "sideways"])
    func `a text that is not a movement is refused`(text: String) {
        #expect(throws: DecodingError.self) {
            try JSONDecoder().decode([Movement].self, from: Data("[\"\(text)\"]".utf8))
        }
    }

    private func entry(
        presence: ChartPresence = .old, rankChange: Int = 0, code: String = "20199882", opening: Day? = nil
    ) -> ChartEntry {
        ChartEntry(
            rowNumber: 1, rank: 1, rankChange: rankChange, presence: presence, code: code, title: "제목",
            openingDay: opening, salesAmount: 123_456_789_012, salesShare: 34.2, salesChange: -5,
            salesChangePercent: 122_279.3, salesTotal: 223_456_789_012, audience: 3, audienceChange: -4,
            audienceChangePercent: -15.3, audienceTotal: 9, screens: 7, showings: 8)
    }
}
