import Mustache

/// The templates, which the executable contains.
struct PageTemplates: Sendable {
    enum Name: String, CaseIterable {
        case chart, film, search, calendar, message, how, activity
        // Films of a chart.
        case row, cell, feed
        // Parts of the others.
        case layout, title, poster, dateform, live
    }

    private let library: MustacheLibrary

    /// - Throws: an error of the parser, which a test excludes.
    init() throws {
        var library = MustacheLibrary()
        for name in Name.allCases {
            // The line end of a file would be a blank in the middle of a line.
            var source = String(decoding: Self.source(name), as: UTF8.self)
            if source.last == "\n" { source.removeLast() }
            try library.register(source, named: name.rawValue)
        }
        self.library = library
    }

    /// The page as HTML in UTF-8. All values are escaped.
    func html(_ name: Name, _ values: [String: Any]) -> [UInt8] {
        Array((library.render(values, withTemplate: name.rawValue) ?? "").utf8)
    }

    private static func source(_ name: Name) -> [UInt8] {
        switch name {
        case .chart: PackageResources.chart_mustache
        case .film: PackageResources.film_mustache
        case .search: PackageResources.search_mustache
        case .calendar: PackageResources.calendar_mustache
        case .message: PackageResources.message_mustache
        case .how: PackageResources.how_mustache
        case .activity: PackageResources.activity_mustache
        case .live: PackageResources.live_mustache
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
