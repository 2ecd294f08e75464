import Domain
import Localization
import Mustache
import ProcessKit
import Synchronization
import Zlib

/// The templates, which the executable contains.
final class PageTemplates: Sendable {
    enum Name: String, CaseIterable {
        case chart, film, search, calendar, message, how, activity
        // Films of a chart.
        case row, cell, feed
        // Parts of the others.
        case layout, title, poster, source, moment, dateform, live, filters
    }

    private struct FilterKey: Hashable {
        let filter: ChartFilter
        let language: Language
    }

    private let library: MustacheLibrary
    /// Differs between releases whose templates differ.
    let checksum: UInt32
    /// The fields of a form of filters, of which there are few.
    private let filters = Mutex<[FilterKey: String]>([:])

    /// - Throws: an error of the parser, which a test excludes.
    init() throws {
        MustacheContentTypes.register(EscapedBytes(), named: EscapedBytes.name)
        var library = MustacheLibrary()
        for name in Name.allCases {
            // The line end of a file would be a blank in the middle of a line.
            var source = String(decoding: Self.source(name), as: UTF8.self)
            if source.last == "\n" { source.removeLast() }
            // A part does not inherit the content type.
            try library.register("{{% CONTENT_TYPE: \(EscapedBytes.name)}}" + source, named: name.rawValue)
        }
        self.library = library
        checksum = Zlib.crc32(Name.allCases.flatMap(Self.source))
    }

    /// The page as HTML in UTF-8. All values are escaped.
    func html(_ name: Name, _ values: [String: Any]) -> [UInt8] {
        Array((library.render(values, withTemplate: name.rawValue) ?? "").utf8)
    }

    /// The fields of a form of filters. They are a quarter of the work for a page, and the same on most pages.
    func filters(_ filter: ChartFilter, _ language: Language, _ values: () -> [String: Any]) -> String {
        let key = FilterKey(filter: filter, language: language)
        if let known = filters.withLock({ $0[key] }) { return known }
        let html = String(decoding: html(.filters, values()), as: UTF8.self)
        filters.withLock { $0[key] = html }
        return html
    }

    private static func source(_ name: Name) -> [UInt8] {
        switch name {
        case .chart: PackageResources.chart_mustache
        case .film: PackageResources.film_mustache
        case .source: PackageResources.source_mustache
        case .moment: PackageResources.moment_mustache
        case .search: PackageResources.search_mustache
        case .calendar: PackageResources.calendar_mustache
        case .message: PackageResources.message_mustache
        case .how: PackageResources.how_mustache
        case .activity: PackageResources.activity_mustache
        case .live: PackageResources.live_mustache
        case .filters: PackageResources.filters_mustache
        case .feed: PackageResources.feed_mustache
        case .row: PackageResources.row_mustache
        case .cell: PackageResources.cell_mustache
        case .layout: PackageResources.layout_mustache
        case .title: PackageResources.title_mustache
        case .poster: PackageResources.poster_mustache
        case .dateform: PackageResources.dateform_mustache
        }
    }
}

/// Escapes a text for HTML byte by byte, without what neither HTML nor XML can contain.
///
/// The library's own goes by characters, so that a quotation mark with a combining accent, which is another character,
/// would end an attribute.
private struct EscapedBytes: MustacheContentType {
    static let name = "HTML_BYTES"

    func escapeText(_ given: String) -> String {
        let text = given.withoutControls
        guard text.utf8.contains(where: { Self.escape($0) != nil }) else { return text }
        var escaped: [UInt8] = []
        escaped.reserveCapacity(text.utf8.count + 32)
        for byte in text.utf8 {
            if let reference = Self.escape(byte) { escaped += Array(reference.utf8) } else { escaped.append(byte) }
        }
        return String(decoding: escaped, as: UTF8.self)
    }

    private static func escape(_ byte: UInt8) -> String? {
        switch byte {
        case UInt8(ascii: "<"): "&lt;"
        case UInt8(ascii: ">"): "&gt;"
        case UInt8(ascii: "&"): "&amp;"
        case UInt8(ascii: "\""): "&quot;"
        case UInt8(ascii: "'"): "&#39;"
        default: nil
        }
    }
}
