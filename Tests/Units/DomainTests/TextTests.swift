import Domain
import Foundation
import Testing

@Suite struct TextTests {
    // The expected texts are from UnicodeData, not from Foundation, which does not compose 가 + ㄱ (the fourth) on Linux.
    @Test(arguments: [
        ("", ""), ("plain ASCII", "plain ASCII"), ("\u{ACBD}\u{AD00}", "\u{ACBD}\u{AD00}"),
        ("\u{1112}\u{1161}\u{11AB}\u{1100}\u{1173}\u{11AF}", "\u{D55C}\u{AE00}"),
        ("e\u{301}tude", "\u{E9}tude"), ("\u{AC00}\u{11A8}", "\u{AC01}"), ("\u{212B}", "\u{C5}"),
        ("q\u{307}\u{323}", "q\u{323}\u{307}"), ("\u{300C}\u{2502}\u{3C}", "\u{300C}\u{2502}\u{3C}"),
        ("\u{1F468}\u{200D}\u{1F469}", "\u{1F468}\u{200D}\u{1F469}"),
    ])
    func `composes scalar by scalar`(text: String, composed: String) {
        #expect(Array(text.nfc.unicodeScalars) == Array(composed.unicodeScalars))
    }

    @Test func `a poster is searched for by title, in composed text`() {
        #expect(Poster.query(title: "경관의 피") == "경관의 피 영화 포스터")
        let decomposed = "경관의 피".decomposedStringWithCanonicalMapping
        #expect(Array(decomposed.utf8) != Array("경관의 피".utf8))
        #expect(Array(Poster.query(title: decomposed).utf8) == Array("경관의 피 영화 포스터".utf8))
    }
}
