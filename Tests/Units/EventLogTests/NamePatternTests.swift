import EventLog
import Testing

@Suite struct NamePatternTests {
    @Test(
        arguments: [
            ("chart.daily", "chart.daily", true), ("chart.daily", "chart.daily.answered", false),
            ("chart", "chart.", false),
            ("chart.*", "chart.daily", true), ("chart.*", "chart", false), ("chart*", "chart", true),
            ("*.answered", "chart.daily.answered", true), ("*.answered", "answered", false), ("*", "", true),
            ("*", "anything", true), ("**", "anything", true), ("a*b*c", "abc", true), ("a*b*c", "a.b.b.c", true),
            ("a*b*c", "a.c.b", false), ("a*a", "a", false), ("a*a", "aa", true), ("*b*", "abc", true),
            ("*b*", "ac", false),
            ("ab*ba", "aba", false), ("movie.?", "movie.x", false),
        ])
    func `a star matches any text, and the whole name must match`(pattern: String, name: String, fits: Bool) throws {
        #expect(try #require(NamePattern(pattern)).matches(name) == fits)
    }

    @Test func `an empty pattern is rejected`() {
        #expect(NamePattern("") == nil)
    }
}
