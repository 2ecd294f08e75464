import Assembly
import Contracts
import Domain
import Envelope
import HTTPKit
import HTTPTypes
import Localization
import MessageBus
import ProcessKit
import Records
import Schemas

/// Answers for programs: JSON, images, files; and forms, which lead to a page.
extension WebResponder {
    /// The bytes of `gateway … --json`.
    func json(_ address: PageAddress, _ request: WebRequest) async throws -> WebResponse {
        let calls: Int
        switch address {
        case .how(let id):
            guard let record = explanations[id] else { return .text(.notFound, "This query is not remembered.") }
            return WebResponse(.ok, record.explanation.json() + [UInt8(ascii: "\n")], "application/json; charset=utf-8")
        case .chart(let selection, _) where selection == .daily(selection.days.lowerBound):
            calls = VisitorQueries.Cost.chartWithFilms
        default: calls = VisitorQueries.Cost.part
        }
        return try await queries.run(calls: calls, for: request.visitor, trace: request.trace) { visitor in
            let (bytes, part, content) = try await jsonBytes(address, visitor.query)
            var failure = part.value == nil ? part.failure ?? .unreadable : nil
            if failure?.code == .notStored, let refusal = visitor.refusal { failure = refusal.failure }
            return WebResponse(
                failure.map { HTTPResponse.Status($0.code) } ?? .ok, bytes + [UInt8(ascii: "\n")],
                "application/json; charset=utf-8", [.cacheStatus: Self.cacheStatus(part, own: "fwd=bypass")]
            ).tagged(
                by: content + Array("\(part.status.rawValue) \(part.failure?.code.rawValue ?? "")".utf8), for: request)
        }
    }

    /// - Returns: the bytes, the part that the answer cannot do without, and what differs when the answer does, but for
    ///   the ages in it.
    private func jsonBytes(
        _ address: PageAddress, _ query: Query
    ) async throws -> (bytes: [UInt8], part: PartOutcome, content: [UInt8]) {
        switch address {
        case .chart(let selection, _) where selection == .daily(selection.days.lowerBound):
            let assembly = try await query.show(selection, top: Self.films)
            return (try AnswerJSON.show(assembly), assembly.chart, Array(assembly.version.utf8))
        case .chart(let selection, _):
            let chart = try await query.chart(selection)
            let day = selection.days.lowerBound.iso
            return (try AnswerJSON.single(chart, kind: "chart", asked: ("targetDate", day)), chart, chart.value ?? [])
        case .film(let code, let day):
            let yesterday = Day.yesterdayInSeoul(secondsSinceEpoch: clock.now())
            async let awaitedRun = query.knownRun(of: code, until: day ?? yesterday)
            let detail = try await query.movie(code: code)
            let run = await awaitedRun
            let figures = try run.map { try JSONBytes.encode($0.run) } ?? []
            return (try AnswerJSON.movie(detail, code: code, run: run), detail, (detail.value ?? []) + figures)
        case .search(let search):
            let outcome = try await query.search(search)
            let archived = try await query.archivedFilms(besides: outcome, of: search)?.summaries
            let content = (outcome.value ?? []) + (try JSONBytes.encode(archived))
            return (try AnswerJSON.search(outcome, asked: search, archived: archived), outcome, content)
        case .calendar, .month, .year, .compare, .records, .about, .how, .activity:
            return ([], .failed(.unreadable), [])
        }
    }

    /// The bytes of `gateway chart … --excel`.
    func table(_ selection: ChartSelection, _ request: WebRequest) async throws -> WebResponse {
        try await queries.run(calls: VisitorQueries.Cost.part, for: request.visitor, trace: request.trace) { visitor in
            let outcome = try await visitor.query.chart(selection)
            let chart = try decoded.value(of: outcome, in: visitor, decoded.chart)
            let titles = try await visitor.query.storedEnglishTitles(of: outcome)
            let records = FilmRecord.rows(of: selection, chart.entries, outcome, titles, now: clock.now())
            let bytes = RecordFormat.csv.bytes(records, FilmRecord.chartFields, TableStyle(excel: request.language))
            let name = PageAddress.chart(selection, .list).fileName
            return WebResponse(
                .ok, bytes, "text/csv; charset=utf-8",
                [
                    .contentDisposition: "attachment; filename=\"boxoffice-\(name).csv\"",
                    .vary: "Accept-Language, Accept-Encoding",
                ]
            ).tagged(by: bytes, for: request)
        }
    }

    /// Fetches a chart and its films again, whatever the outcome, and shows the page, which names a failure.
    func refresh(_ address: PageAddress, _ request: WebRequest) async throws -> WebResponse {
        if case .chart(let selection, _) = address {
            let calls = VisitorQueries.Cost.chartWithFilms
            try await queries.run(calls: calls, for: request.visitor, trace: request.trace, isRefresh: true) {
                visitor in
                _ = try await visitor.query.show(selection, top: Self.films)
            }
        }
        return .redirect(frame(request).href(address))
    }

    /// The latest settled charts of the archive, which looks every day.
    func feed(_ request: WebRequest) async throws -> WebResponse {
        let frame = frame(request)
        // The request's host is one that the server answers for.
        let site = configuration.url ?? request.asked.host.map { "http://\($0)" } ?? ""
        return try await queries.run(calls: 0, for: request.visitor, trace: request.trace) { visitor in
            let charts = try await settledCharts(until: frame.yesterday, visitor.query)
            let xml = FeedPage(frame: frame, site: site, path: frame.href).xml(charts)
            return WebResponse(
                .ok, xml, "application/atom+xml; charset=utf-8", cache: "public, max-age=600",
                [.vary: "Accept-Language"]
            ).tagged(by: xml, for: request)
        }
    }

    /// The feed of a site of files.
    ///
    /// - Parameter path: of a page; nil for one that the site does not have.
    func feed(
        until day: Day, site: String, _ language: Language, path: @escaping (PageAddress) -> String?
    ) async throws -> [UInt8] {
        try await queries.run(calls: 0, for: Visitor(), trace: .root(.web)) { visitor in
            let charts = try await settledCharts(until: day, visitor.query)
                .filter { path(.chart(.daily($0.date), .list)) != nil }
            let frame = PageFrame(
                language: language, isLanguageChosen: false, yesterday: day, assets: assets, site: site, isStatic: true)
            return FeedPage(frame: frame, site: site, path: path).xml(charts)
        }
    }

    /// The latest first.
    private func settledCharts(until day: Day, _ query: Query) async throws -> [ArchivedChart] {
        // Some more than the feed has: the latest may be provisional, and a day may be missing.
        let days = max(.firstChart, day.advanced(by: -2 * FeedPage.charts))...day
        var charts: [ArchivedChart] = []
        _ = try await query.archivedCharts(.daily, in: days, calls: 0) { charts += $0 }
        return charts.filter { $0.state == .settled }.suffix(FeedPage.charts).reversed()
    }

    /// The image of a poster that may be stored: those of an image search belong to others.
    func storablePoster(_ code: String) async throws -> (bytes: [UInt8], format: String)? {
        guard configuration.posters == .proxy else { return nil }
        return try await queries.run(calls: VisitorQueries.Cost.film, for: Visitor(), trace: .root(.web)) { visitor in
            let (title, outcome) = try await visitor.query.poster(code: code)
            guard outcome.source == .demo, let poster = decoded.poster(outcome) else { return nil }
            let image = try await visitor.query.image(of: poster, title: title)
            guard image.value != nil, let bytes = image.attachment, let header = ImageHeader(bytes) else { return nil }
            return (bytes, header.format.rawValue.split(separator: "/").last.map(String.init) ?? "img")
        }
    }

    func date(_ text: String, _ request: WebRequest) -> WebResponse {
        let frame = frame(request)
        do {
            return .redirect(frame.href(.chart(.daily(try Day.ofChart(text, now: clock.now())), .list)))
        } catch {
            return page(MessagePage(frame: frame).unknown(.day(error)), HTTPResponse.Status(.day(error)))
        }
    }

    /// The image of a film's poster. Its address comes from our own search, never from the request.
    func poster(_ code: String, _ request: WebRequest) async throws -> WebResponse {
        guard configuration.posters == .proxy else { return .text(.notFound, "Posters are not shown here.") }
        return try await queries.run(calls: VisitorQueries.Cost.film, for: request.visitor, trace: request.trace) {
            visitor in
            let (title, outcome) = try await visitor.query.poster(code: code)
            guard let value = outcome.value else {
                let code = visitor.refusal?.failure.code ?? outcome.failure?.code ?? .unreadable
                return .text(HTTPResponse.Status(code), "There is no poster.")
            }
            let poster = try JSONBytes.decode(Poster.self, from: value)
            return image(try await visitor.query.image(of: poster, title: title), for: request)
        }
    }

    private func image(_ image: PartOutcome, for request: WebRequest) -> WebResponse {
        // A failed image has a placeholder, which says so.
        guard let bytes = image.attachment, let header = ImageHeader(bytes) else {
            return .text(HTTPResponse.Status(image.failure?.code ?? .unreadable), "There is no image.")
        }
        let isImage = image.value != nil
        var response = WebResponse(
            isImage ? .ok : HTTPResponse.Status(image.failure?.code ?? .unreadable), bytes, header.format.rawValue,
            cache: isImage ? "private, max-age=\(max(0, min(image.cache?.ttl ?? 0, 86_400)))" : "no-store")
        response.fields[.robotsTag] = "noimageindex"
        return response.tagged(by: bytes, for: request)
    }

    func schema(_ name: String) -> WebResponse {
        guard let bytes = Schemas.all[name] else { return .text(.notFound, "There is no such schema.") }
        return WebResponse(.ok, bytes, "application/schema+json", cache: "public, max-age=3600")
    }

    func asset(_ name: String) -> WebResponse {
        guard let file = assets[name] else { return .text(.notFound, "There is no such file.") }
        return WebResponse(
            .ok, .compressed(file.bytes, gzip: file.compressed), file.mediaType,
            cache: "public, max-age=31536000, immutable")
    }

    /// A robot on all days would use up the day's calls: the last fortnight is enough for a search engine. The pages of
    /// months and years cost none.
    func robots() -> WebResponse {
        let yesterday = Day.yesterdayInSeoul(secondsSinceEpoch: clock.now())
        let days = (0..<14).map { PageAddress.chart(.daily(yesterday.advanced(by: -$0)), .list) }
        let years = (Day.firstChart.components.year...yesterday.components.year).reversed().map { PageAddress.year($0) }
        let months = sequence(first: Month(of: yesterday), next: \.previous).prefix(12).map { PageAddress.month($0) }
        let paths = ["/"] + ([.about, .records()] + days + months + years).map { $0.path() }
        // Each language has an address of its own.
        let lines = paths.flatMap { ["Allow: \($0)$", "Allow: \($0)?lang="] }
        return .text(.ok, (["User-agent: *"] + lines + ["Disallow: /"]).joined(separator: "\n"))
    }
}
