import GatewayCore
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
    func `a word a stroke or two away is what was meant`(word: String, meant: String) {
        #expect(Suggestion.closest(to: word, among: Self.commands) == meant)
    }

    @Test(arguments: ["", "x", "frobnicate", "어제", "showchart"])
    func `what is near nothing means nothing`(word: String) {
        #expect(Suggestion.closest(to: word, among: Self.commands) == nil)
    }

    @Test func `nothing is known of nothing`() {
        #expect(Suggestion.closest(to: "show", among: []) == nil)
    }
}
