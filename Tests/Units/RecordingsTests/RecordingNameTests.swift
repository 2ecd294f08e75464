import Domain
import Recordings
import Testing

@Suite struct RecordingNameTests {
    private static let day = Day(daysSinceEpoch: 18_997)

    @Test(
        arguments: [
            (.chart(.daily(day)), "daily-20220105.json"),
            (.chart(ChartSelection(.weekend, around: day)), "weekend-20220107.json"),
            (
                .chart(
                    ChartSelection(
                        .weekly, around: day, filter: ChartFilter(region: .seoul, nation: .korean, diversity: .diverse))
                ),
                "weekly-20220103+diversity=diverse+nation=korean+region=seoul.json"
            ),
            (.film("2023C632"), "movieinfo-2023C632.json"),
            (.films(FilmSearch(title: "밀수")), "movielist+page=1+size=100+title=밀수.json"),
            (
                .films(
                    FilmSearch(
                        title: "a+b=c/%", director: "봉준호", productionYears: 2019...2020, openingYears: 2021...2021,
                        page: 2, pageSize: 20)),
                "movielist+director=봉준호+made=2019-2020+opened=2021-2021+page=2+size=20+title=a%2Bb=c%2F%25.json"
            ),
            (.images("밀수 영화 포스터"), "kakao-query-밀수 영화 포스터.json"),
            (.images("a/b 100%\n../c"), "kakao-query-a%2Fb 100%25%0A..%2Fc.json"),
        ] as [(RecordingName, String)])
    func `a written name is parsed to the same recording`(name: RecordingName, fileName: String) throws {
        #expect(name.fileName == fileName)
        #expect(try RecordingName(fileName: fileName) == name)
    }

    @Test(
        arguments: [
            ("daily-20220105-first.json", .chart(.daily(day))),
            ("movieinfo-20199882-policemans-lineage.json", .film("20199882")),
            ("kakao-query-%EB%B0%80%EC%88%98.json", .images("밀수")), ("kakao-image-empty.json", nil),
            ("MANIFEST.md", nil), ("movielist-2023-page1.json", nil),
            ("daily-20220105.txt", nil), ("codes-x.json", nil),
        ] as [(String, RecordingName?)])
    func `names with comments are parsed and other files are ignored`(fileName: String, name: RecordingName?) throws {
        #expect(try RecordingName(fileName: fileName) == name)
    }

    @Test(arguments: [
        "daily-2022-01-05.json", "daily-202201051.json", "weekly-.json", "daily-20220105+region=atlantis.json",
        "daily-20220105+colour=red.json", "daily-20220105+nation.json",
        "movielist+page=x+size=1.json", "movielist+page=1+colour=red.json", "movielist+made=2020-2019.json",
        "movielist+title.json",
    ])
    func `an unreadable name is refused`(fileName: String) {
        #expect(throws: RecordingName.Malformed.self) { try RecordingName(fileName: fileName) }
    }

    @Test func `a name that is too long for a file system is nil`() {
        #expect(RecordingName.images(String(repeating: "가", count: 90)).fileName == nil)
        #expect(RecordingName.images(String(repeating: "가", count: 70)).fileName != nil)
    }
}
