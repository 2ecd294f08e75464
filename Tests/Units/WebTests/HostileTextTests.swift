import Foundation
import FoundationXML
import ProcessKit
import TestSupport
import Testing

@testable import WebCore

/// What a page and a feed make of titles that no format can contain as they are, read back by libxml2.
@Suite struct HostileTextTests {
    private final class Texts: NSObject, XMLParserDelegate {
        private(set) var texts: [String] = []
        private var text = ""

        func parser(
            _: XMLParser, didStartElement _: String, namespaceURI _: String?, qualifiedName _: String?,
            attributes _: [String: String]
        ) {
            text = ""
        }

        func parser(_: XMLParser, foundCharacters string: String) { text += string }

        func parser(_: XMLParser, didEndElement name: String, namespaceURI _: String?, qualifiedName _: String?) {
            texts.append("\(name) \(text)")
            text = ""
        }
    }

    /// The texts of all elements, after the name of each.
    private func read(_ xml: [UInt8]) throws -> [String] {
        let (parser, reader) = (XMLParser(data: Data(xml)), Texts())
        parser.delegate = reader
        try #require(
            parser.parse(), "\(String(describing: parser.parserError)): \(String(decoding: xml, as: UTF8.self))")
        return reader.texts
    }

    /// As a parser of XML gives line ends. By bytes: a line end with an accent is another character.
    private func shown(_ text: String) -> String {
        var bytes: [UInt8] = []
        for byte in text.withoutControls.utf8 {
            if byte == 0x0A, bytes.last == 0x0D { bytes.removeLast() }
            bytes.append(byte)
        }
        return String(decoding: bytes.map { $0 == 0x0D ? 0x0A : $0 }, as: UTF8.self)
    }

    private static func isHidden(_ scalar: Unicode.Scalar) -> Bool {
        let value = scalar.value
        return scalar.properties.isBidiControl || scalar.properties.isNoncharacterCodePoint
            || [0x200B, 0x2060, 0xFEFF, 0x2028, 0x2029].contains(value) || (0x7F...0x9F).contains(value)
            || value < 0x20 && ![0x09, 0x0A, 0x0D].contains(value)
    }

    @Test func `a feed stays XML, and keeps what can be seen`() throws {
        let templates = try PageTemplates()
        for text in HostileText(count: 500) {
            let chart: [String: Any] = ["id": text, "title": text, "updated": text, "url": text, "text": text]
            let feed = templates.html(.feed, ["lang": "ko", "title": text, "charts": [chart]])
            let texts = try read(feed)
            #expect(texts.contains("content \(shown(text))") && texts.contains("title \(shown(text))"))
        }
    }

    @Test func `a title is isolated, and keeps what can be seen`() throws {
        let templates = try PageTemplates()
        for text in HostileText(seed: 2, count: 500) {
            let title = templates.html(.title, ["titleText": text, "titleLang": text, "titleOther": text])
            let texts = try read(Array("<h2>".utf8) + title + Array("</h2>".utf8))
            #expect(texts.filter { $0 == "bdi \(shown(text))" }.count == 2, "\(texts)")
            let row = String(
                decoding: templates.html(.row, ["titleText": text, "summary": text, "reasons": [text]]), as: UTF8.self)
            #expect(row.unicodeScalars.allSatisfy { !Self.isHidden($0) })
        }
    }
}
