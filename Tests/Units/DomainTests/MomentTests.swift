import Domain
import Testing

@Suite struct MomentTests {
    @Test(arguments: [
        // 2022-01-06 00:00 in Seoul is 1641394800.
        ("2022-01-06 08:00", 1_641_423_600_000), ("2022-01-06T08:00:30", 1_641_423_630_000),
        ("2022-01-05T23:00Z", 1_641_423_600_000), ("2022-01-06T01:30+02:30", 1_641_423_600_000),
        ("2022-01-05T20:00-03:00", 1_641_423_600_000), ("2022-01-05", 1_641_394_799_999),
    ])
    func `a moment is in Seoul unless it says otherwise, and a day is its end`(text: String, milliseconds: Int64) {
        #expect(Moment(text)?.milliseconds == milliseconds)
    }

    @Test(arguments: [
        "", "yesterday", "2022-02-30", "2022-01-06 24:00", "2022-01-06 08:60", "2022-01-06 8:00", "2022-01-06 08:00:60",
        "2022-01-06T08:00+24:00", "2022-01-06Z", " 2022-01-06",
    ])
    func `other texts are no moment`(text: String) {
        #expect(Moment(text) == nil)
    }
}
