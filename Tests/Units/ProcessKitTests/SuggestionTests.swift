import ProcessKit
import Testing

@Suite struct SuggestionTests {
    private static let commands = [
        "show", "chart", "movie", "poster", "ping", "quota", "stats", "cache", "trace", "bench",
    ]

    @Test(arguments: [
        ("shwo", "show"), ("hsow", "show"), ("charts", "chart"), ("POSTER", "poster"), ("pin", "ping"),
        ("qouta", "quota"),
        ("trcae", "trace"), ("bnch", "bench"), ("movei", "movie"),
    ])
    func `a command at edit distance one or two is suggested`(word: String, meant: String) {
        #expect(Suggestion.closest(to: word, among: Self.commands) == meant)
    }

    @Test(arguments: ["", "x", "frobnicate", "어제", "showchart"])
    func `a word far from every command gets no suggestion`(word: String) {
        #expect(Suggestion.closest(to: word, among: Self.commands) == nil)
    }

    @Test func `without known words there is no suggestion`() {
        #expect(Suggestion.closest(to: "show", among: []) == nil)
    }
}
