public import Domain
import Envelope
import HTTPKit
import HTTPTypes
import Hummingbird
public import Localization
import Logging
public import MessageBus
import NIOCore
public import ProcessKit
import Synchronization
import Wording

/// Writes the pages of a range as files with relative links: charts, their films, months, years, and a feed.
///
/// They are the pages of the server without what needs one: forms, the live part, the search.
public struct SiteExport: Sendable {
    private let responder: WebResponder
    private let folder: SiteFolder
    private let language: Language
    /// Of the published site; nil: the pages have no absolute address, and there is no feed.
    private let site: String?
    private let now: Double

    /// What was written.
    public struct Result: Sendable {
        public internal(set) var pages = 0
        public internal(set) var posters = 0
        public internal(set) var hasFeed = false
        /// The addresses of pages that have no answer.
        public internal(set) var missing: [String] = []
    }

    /// - Throws: `StartupError` for a folder that cannot be used.
    public init(
        to path: String, bus: MessageBus, _ configuration: WebConfiguration, language: Language,
        clock: WallClock = .system
    ) throws {
        var configuration = configuration
        configuration.isStatic = true
        configuration.explains = false
        site = configuration.url
        now = clock.now()
        responder = WebResponder(bus: bus, configuration, clock: clock, logger: Logger(label: "export"))
        folder = try SiteFolder(path)
        self.language = language
    }

    public func run(_ days: ClosedRange<Day>) async throws -> Result {
        var result = Result()
        let charts = days.map { PageAddress.chart(.daily($0), .list) }
        var pages: [PageAddress: [UInt8]] = [:]
        var films: Set<PageAddress> = []
        for address in charts {
            guard let page = try await page(address) else {
                result.missing.append(address.path())
                continue
            }
            pages[address] = page
            films.formUnion(Self.films(of: page))
        }
        var posters: [String: String] = [:]
        for film in films {
            guard case .film(let code, _) = film, let image = try await responder.storablePoster(code) else { continue }
            let file = "posters/\(code).\(image.format)"
            try folder.write(image.bytes, to: file)
            posters[code] = file
        }
        result.posters = posters.count
        for address in films.union(Self.periods(of: days)) {
            guard let page = try await page(address) else {
                result.missing.append(address.path())
                continue
            }
            pages[address] = page
        }
        let known = Set(pages.keys)
        for (address, page) in pages {
            try folder.write(written(page, address, known, posters), to: Self.file(address))
        }
        if let last = charts.last(where: { pages[$0] != nil }), let page = pages[last] {
            try folder.write(written(page, nil, known, posters), to: "index.html")
        }
        for (name, file) in responder.assets.all where !name.hasSuffix(".js") {
            try folder.write(Array(file.bytes.readableBytesView), to: "assets/\(name)")
        }
        if let site {
            let feed = try await responder.feed(until: days.upperBound, site: site, language) { address in
                pages[address] == nil ? nil : "/" + Self.file(address)
            }
            try folder.write(feed, to: "feed.atom")
            result.hasFeed = true
        }
        result.pages = pages.count
        result.missing.sort()
        return result
    }

    // MARK: Pages

    /// Nil for a page without an answer.
    private func page(_ address: PageAddress) async throws -> [UInt8]? {
        let target = address.path() + "?lang=\(language.rawValue)"
        let request = WebRequest(
            method: .get, target: target, host: "localhost", fields: [:], responder.read)
        let response = try await responder.respond(to: request).response(to: request)
        guard response.status == .ok else { return nil }
        let collector = BodyCollector()
        try await response.body.write(collector)
        return collector.bytes
    }

    /// - Parameters:
    ///   - address: nil for the first page of the site.
    ///   - known: the pages that are written.
    private func written(
        _ page: [UInt8], _ address: PageAddress?, _ known: Set<PageAddress>, _ posters: [String: String]
    ) -> [UInt8] {
        var root = ""
        if case .film = address { root = "../" }
        return StaticPage(root: root) { target in
            if target == "/" || target.hasPrefix("/?") { return "index.html" }
            // An address without a route has no file.
            return switch try? Route(.get, target, now: now) {
            case .page(let address): known.contains(address) ? Self.file(address) : nil
            case .poster(let code): posters[code]
            case .asset(let name): name.hasSuffix(".js") ? nil : "assets/\(name)"
            case .feed: site == nil ? nil : "feed.atom"
            default: nil
            }
        }.rewritten(page)
    }

    private static func file(_ address: PageAddress) -> String { address.path().dropFirst() + ".html" }

    /// The films that a chart's page leads to.
    private static func films(of page: [UInt8]) -> [PageAddress] {
        let codes = String(decoding: page, as: UTF8.self).matches(of: /href="\/films\/([0-9A-Za-z]+)/)
        return codes.map { .film(String($0.output.1)) }
    }

    private static func periods(of days: ClosedRange<Day>) -> [PageAddress] {
        var months: [PageAddress] = []
        for day in days where !months.contains(.month(Month(of: day))) { months.append(.month(Month(of: day))) }
        return months + (days.lowerBound.components.year...days.upperBound.components.year).map { .year($0) }
    }
}

/// Keeps the body of a response in memory.
private final class BodyCollector: ResponseBodyWriter, Sendable {
    private let buffer = Mutex<[UInt8]>([])

    var bytes: [UInt8] { buffer.withLock(\.self) }

    func write(_ piece: ByteBuffer) async throws { buffer.withLock { $0 += piece.readableBytesView } }

    func finish(_ trailingHeaders: HTTPFields?) async throws {}
}
