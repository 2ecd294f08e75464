import Assembly
import Contracts
import Domain
import Envelope
import Foundation
import FoundationXML
import Localization
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

    private let frame = PageFrame(
        language: .en, isLanguageChosen: false, yesterday: Samples.date, assets: Assets(), site: nil)

    @Test func `a feed stays XML, and keeps what can be seen`() throws {
        for text in HostileText(count: 500) {
            let chart = ArchivedChart(
                date: Samples.date, state: .settled, source: .upstream, firstSeen: .max, lastSeen: nil, failure: nil,
                entries: [Samples.entry(1, text)])
            let frame = frame
            let feed = FeedPage(frame: frame, site: "https://films.example", path: frame.href)
            let texts = try read(feed.xml([chart]))
            // The content is the text of markup: its own parser gives the title.
            let content = try #require(texts.first { $0.hasPrefix("content ") })
            let table = try read(Array("<div>\(content.dropFirst(8))</div>".utf8))
            // By bytes: a text may begin with an accent of the character before it.
            #expect(table.contains { Array($0.utf8).contains(Array(shown(text).utf8)) }, "\(table)")
        }
    }

    @Test func `a title is isolated, and keeps what can be seen`() throws {
        let frame = frame
        for text in HostileText(seed: 2, count: 500) {
            let title: HTML = "<h2>\(frame.title(text, english: "\(text)!"))</h2>"
            let texts = try read(title.bytes)
            #expect(texts.contains("bdi \(shown(text))") && texts.contains("bdi \(shown(text))!"), "\(texts)")
            let film = FilmRow(
                frame: frame, layout: .list, posters: .proxy, selection: .daily(Samples.date), source: .upstream,
                decoded: DecodedParts())
            let parts = ShowAssembly(.daily(Samples.date), chart: .failed(Samples.timeout), codes: [text]).films[0]
            let row = String(
                decoding: film.html(Samples.entry(1, text, code: text), parts, [text]).bytes, as: UTF8.self)
            #expect(row.unicodeScalars.allSatisfy { !Self.isHidden($0) })
        }
    }
}
