import ProcessKit
import Testing

@Suite struct PrintableTests {
    @Test(arguments: [
        "", "경관의 피", "\u{1100}\u{1167}\u{11BC}", "a\\b \"c\" 'd'", "e\u{301}", "\u{1F468}\u{200D}\u{1F3A4}",
        "스파이더맨: 노 웨이 홈 — 100%", "نور",
    ])
    func `printable text is unchanged, byte for byte`(text: String) {
        #expect(Array(text.printable.utf8) == Array(text.utf8))
    }

    @Test(arguments: [
        ("a\nb", #"a\nb"#), ("a\r\nb", #"a\r\nb"#), ("\t", #"\t"#), ("\0", #"\0"#), ("\u{7}", #"\u{07}"#),
        ("\u{1B}[31m빨강\u{1B}[0m", #"\u{1B}[31m빨강\u{1B}[0m"#), ("\u{7F}", #"\u{7F}"#), ("\u{9B}2J", #"\u{009B}2J"#),
        ("\u{85}\u{2028}\u{2029}", #"\u{0085}\u{2028}\u{2029}"#), ("\u{202E}abc\u{2066}", #"\u{202E}abc\u{2066}"#),
        ("a\u{200B}b\u{FEFF}", #"a\u{200B}b\u{FEFF}"#),
    ])
    func `control characters are shown as escapes, and dropped for pages`(text: String, shown: String) {
        #expect(text.printable == shown)
        let kept = text.unicodeScalars.filter {
            $0 == "\t" || $0 == "\n" || $0 == "\r" || $0.properties.isAlphabetic || $0 == "2"
        }
        #expect(text.contains("[") || text.withoutControls == String(String.UnicodeScalarView(kept)))
    }

    @Test(arguments: [0xFFFE, 0xFFFF, 0xFDD0, 0x1FFFF] as [UInt32])
    func `a code point that is no character is not shown`(value: UInt32) throws {
        let text = String(Character(try #require(Unicode.Scalar(value))))
        #expect("a\(text)".printable.hasPrefix("a\\u{") && "a\(text)".withoutControls == "a")
    }
}
