import Testing

@testable import WebCore

@Suite struct HTMLTests {
    /// With a combining accent, each is a character of its own.
    private static let hostile = ["<", ">", "&", "\"", "'"].map { $0 + "\u{301}" }.joined()

    @Test func `marks of HTML are escaped also with an accent`() {
        let html: HTML = "<a title=\"\(Self.hostile)\">\(Self.hostile)</a>"
        let escaped = ["&lt;", "&gt;", "&amp;", "&quot;", "&#39;"].map { $0 + "\u{301}" }.joined()
        #expect(Array("<a title=\"\(escaped)\">\(escaped)</a>".utf8) == html.bytes)
    }

    @Test func `markup in markup stays as it is, and nothing is nothing`() {
        let (bold, nothing): (HTML, HTML?) = ("<b>\("&")</b>", nil)
        #expect(
            ("<p>\(bold)\(nothing)\([bold, bold])\(7)</p>" as HTML).bytes
                == Array("<p><b>&amp;</b><b>&amp;</b><b>&amp;</b>7</p>".utf8))
    }
}
