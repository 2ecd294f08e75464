import Domain
import Testing

@testable import DemoUpstreamCore

@Suite struct WireTextTests {
    @Test(arguments: [
        (598_472_470, 507_028_380, "-15.3"), (2_618_000, 13_378_000, "411"), (0, 5, "100"), (290, 1_213, "318.3"),
        (1_000, 1_000, "0"), (1_000, 999, "-0.1"), (1_000_000, 999_999, "0"), (18, 22_028, "122277.8"),
        (200, 100, "-50"),
    ])
    func `a change has a decimal only where it needs one`(before: Int64, now: Int64, text: String) {
        #expect(WirePercent.change(from: before, to: now) == text)
    }

    @Test(arguments: [(342, 1_000, "34.2"), (1, 100, "1.0"), (0, 7, "0.0"), (3, 0, "0.0"), (9_996, 10_000, "100.0")])
    func `a share always has one decimal`(part: Int64, whole: Int64, text: String) {
        #expect(WirePercent.share(of: part, in: whole) == text)
    }

    @Test func `JSON keeps the order of members and escapes special characters`() {
        let value = OrderedJSON.object([
            ("z", .string("a\"b\\c\n한")), ("a", .array([.number(1), .bool(false)])), ("m", .object([])),
        ])
        #expect(String(decoding: value.bytes, as: UTF8.self) == #"{"z":"a\"b\\c\u000a한","a":[1,false],"m":{}}"#)
    }

    @Test(arguments: [
        ("밀수 영화 포스터", ["밀수 영화 포스터", "밀수 영화", "밀수"]), ("  씽2게더   포스터 ", ["씽2게더 포스터", "씽2게더"]),
        ("연못 2019 포스터", ["연못 2019 포스터", "연못 2019", "연못 of 2019"]), ("연못 (2019)", ["연못 (2019)", "연못 of 2019"]),
        ("영화", ["영화"]), ("2012", ["2012"]), ("", [""]),
    ])
    func `the readings of a query are ordered from literal to free`(text: String, readings: [String]) {
        #expect(ImageQuery(text).readings.map { $0.title + ($0.year.map { " of \($0)" } ?? "") } == readings)
    }

    @Test func `a title matches whole words only`() {
        #expect(ImageQuery("밀수 영화 포스터").contains(title: "밀수"))
        #expect(ImageQuery("영화 경관의 피 포스터").contains(title: "경관의  피 "))
        #expect(!ImageQuery("밀수꾼 영화 포스터").contains(title: "밀수"))
        #expect(!ImageQuery("밀수").contains(title: " "))
    }

    @Test func `query parameters are decoded once`() {
        let parameters = QueryParameters("a=%EB%B0%80%EC%88%98+1&b=x%2By&c=&d&e=%zz&a2=1=2")
        #expect(parameters["a"] == "밀수 1" && parameters["b"] == "x+y" && parameters["c"] == "")
        #expect(parameters["d"] == "" && parameters["e"] == "%zz" && parameters["a2"] == "1=2")
        #expect(parameters["f"] == nil && QueryParameters(nil)["a"] == nil)
    }
}
