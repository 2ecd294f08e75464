import Testing

@testable import WebCore

@Suite struct PageTemplateTests {
    /// With a combining accent, each is a character of its own.
    private static let hostile = ["<", ">", "&", "\"", "'"].map { $0 + "\u{301}" }.joined()

    @Test func `marks of HTML are escaped also with an accent`() throws {
        let templates = try PageTemplates()
        let values: [String: Any] = [
            "titleText": Self.hostile, "titleLang": Self.hostile, "titleOther": Self.hostile, "code": Self.hostile,
            "link": Self.hostile, "image": Self.hostile, "summary": Self.hostile, "reasons": [Self.hostile],
        ]
        for name in [PageTemplates.Name.row, .cell, .film, .search, .message, .feed] {
            let html = String(
                decoding: templates.html(name, values.merging(["title": Self.hostile]) { $1 }), as: UTF8.self)
            let marks = html.unicodeScalars.indices.filter { html.unicodeScalars[$0] == "\u{301}" }
            for accent in marks {
                #expect(html.unicodeScalars[html.unicodeScalars.index(before: accent)] == ";", "\(name)")
            }
            #expect(marks.count >= 5, "\(name)")
        }
    }
}
