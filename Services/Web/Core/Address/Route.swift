import Assembly
import Domain
import EventLog

/// What a request asks for.
enum Route: Sendable, Equatable {
    case page(PageAddress)
    case json(PageAddress)
    /// A chart as CSV for a spreadsheet.
    case table(ChartSelection)
    /// Fetches the values of a chart anew, then shows it.
    case refresh(PageAddress)
    /// Fetches the missing charts of a film's run, then shows it.
    case load(film: String)
    /// The page of a date that a form sends.
    case date(String)
    case poster(String)
    case schema(String)
    case asset(String)
    /// Changes of a chart, or the events of the stack; with the id of the last one that the client has.
    case events(LiveTopic, after: String?)
    case feed
    /// A day in three sentences, as text or JSON; nil for yesterday.
    case brief(Day?, isJSON: Bool)
    case health
    case robots
}

extension Route {
    enum Method: Sendable {
        case get, post
    }

    /// The route of an address.
    ///
    /// - Parameters:
    ///   - target: path and query, as they are in the request.
    ///   - now: Unix time in seconds.
    init(_ method: Method, _ target: String, now: Double) throws(RouteError) {
        let parts = target.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        let path = String(parts[0])
        // Our paths are plain: an encoded, empty or relative part belongs to none of them.
        guard path.utf8.allSatisfy(Self.isPlain), path.hasPrefix("/"), !path.contains("//"), !path.contains("..") else {
            throw .unknown
        }
        let query = QueryParameters(parts.count > 1 ? String(parts[1]) : nil)
        guard method == .get else {
            guard Self.isAction(path) else { throw .unknown }
            let parts = path.dropFirst().split(separator: "/", omittingEmptySubsequences: false)
            if parts.last == "load" {
                self = .load(film: try Self.filmCode(parts[1]))
                return
            }
            let part = parts.count == 3 ? String(parts[1]) : nil
            self = .refresh(try Self.chart(String(parts[0]), part, query, now: now))
            return
        }
        switch path {
        case "/": self = .page(try Self.chart(nil, nil, query, now: now))
        case "/events": self = .events(try Self.topic(query, now: now), after: query["after"])
        case "/feed.atom": self = .feed
        case "/brief", "/brief.json": self = .brief(try Self.day(query, now: now), isJSON: path != "/brief")
        case Self.healthPath: self = .health
        case "/robots.txt": self = .robots
        case "/go": self = .date(query["date"] ?? "")
        default: self = try Self.named(path, query, now: now)
        }
    }

    static let healthPath = "/healthz"

    /// Whether a path changes something, and is for POST alone: a chart's refresh, or loading a film's run.
    static func isAction(_ path: String) -> Bool {
        let parts = path.dropFirst().split(separator: "/", omittingEmptySubsequences: false)
        if parts.count == 3, parts.first == "films", parts.last == "load" { return true }
        return (2...3).contains(parts.count) && parts.last == "refresh"
    }

    private static func isPlain(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "/"):
            true
        default: false
        }
    }

    private static func isHexadecimal(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte)
    }

    private static func named(_ path: String, _ query: QueryParameters, now: Double) throws(RouteError) -> Route {
        let parts = path.dropFirst().split(separator: "/", omittingEmptySubsequences: false)
        guard parts.last != "" else { throw .unknown }
        switch (parts.first, parts.count) {
        case ("assets", 2): return .asset(String(parts[1]))
        case ("schemas", 2): return .schema(String(parts[1]))
        case ("posters", 2): return .poster(try filmCode(parts[1]))
        default: break
        }
        let isJSON = path.hasSuffix(".json")
        if path.hasSuffix(".csv") {
            guard case .chart(let selection, _) = try page(path.dropLast(4), query, now: now) else { throw .unknown }
            return .table(selection)
        }
        let page = try page(isJSON ? path.dropLast(5) : path[...], query, now: now)
        guard isJSON else { return .page(page) }
        switch page {
        case .search(let search) where search.isEmpty: throw .parameter("q")
        case .chart, .film, .search, .how: return .json(page)
        case .calendar, .month, .year, .compare, .records, .about, .activity: throw .unknown
        }
    }

    private static func page(
        _ path: Substring, _ query: QueryParameters, now: Double
    ) throws(RouteError) -> PageAddress {
        let parts = path.dropFirst().split(separator: "/", omittingEmptySubsequences: false)
        switch (parts.first, parts.count) {
        case ("about", 1): return .about
        case ("records", 1): return .records(try range(query, now: now))
        case ("compare", 1): return try compare(query)
        case ("how", 1): return .activity(activity(query))
        case ("search", 1): return try search(query)
        case ("how", 2):
            guard parts[1].utf8.count == 16, parts[1].utf8.allSatisfy(isHexadecimal) else { throw .unknown }
            return .how(String(parts[1]))
        case ("films", 2): return .film(try filmCode(parts[1]), until: try day(query, now: now))
        case ("calendar", 2):
            guard let month = Month(iso: parts[1]) else { throw .unknown }
            try check(month.days, now: now)
            return .calendar(month)
        case (let name?, 1) where Month(iso: name) != nil || ChartPeriod.year(named: name) != nil:
            if let month = Month(iso: name) {
                try check(month.days, now: now)
                return .month(month)
            }
            guard let year = ChartPeriod.year(named: name) else { throw .unknown }
            try check(year, now: now)
            return .year(year.lowerBound.components.year)
        case (_, 1): return try chart(String(parts[0]), nil, query, now: now)
        case (_, 2): return try chart(String(parts[0]), String(parts[1]), query, now: now)
        default: throw .unknown
        }
    }

    /// A period has a page when one of its days has a chart.
    private static func check(_ days: ClosedRange<Day>, now: Double) throws(RouteError) {
        let yesterday = Day.yesterdayInSeoul(secondsSinceEpoch: now)
        guard days.overlaps(.firstChart...yesterday) else {
            throw .day(.outOfRange(days.lowerBound, first: .firstChart, last: yesterday))
        }
    }

    private static let mostCompared = 6

    /// Empty fields of the form are left out.
    private static func compare(_ query: QueryParameters) throws(RouteError) -> PageAddress {
        var films: [String] = []
        for film in query.all("film") {
            // Of "TITLE (CODE)", as the page fills its fields, the code.
            let code = film.firstMatch(of: /\(([0-9A-Za-z]{8})\) *$/).map { String($0.1) }
            guard let film = code ?? FilmSearch(title: film).title, !films.contains(film) else { continue }
            guard film.utf8.count <= FilmSearch.maxTextBytes, films.count < mostCompared else {
                throw .parameter("film")
            }
            films.append(film)
        }
        let axis = try value(query, "by", RunComparison.Axis.init(rawValue:)) ?? .release
        return .compare(films, axis)
    }

    /// A chart by its name, such as "2022-W01/weekend", with its filter; else a selection of events.
    private static func topic(_ query: QueryParameters, now: Double) throws(RouteError) -> LiveTopic {
        if let name = query["chart"] {
            let parts = name.split(separator: "/", maxSplits: 1).map(String.init)
            guard let first = parts.first,
                case .chart(let selection, _) = try chart(first, parts.count > 1 ? parts[1] : nil, query, now: now)
            else { throw .parameter("chart") }
            return .chart(selection, version: query["version"])
        }
        let filter = activity(query)
        var selection = EventSelection()
        selection.services = list(filter.service)
        selection.kinds = list(filter.kind).compactMap(NamePattern.init)
        selection.query = filter.query
        return .events(selection)
    }

    private static func activity(_ query: QueryParameters) -> ActivityFilter {
        func value(_ name: String) -> String? { query[name].flatMap { $0.isEmpty ? nil : String($0.prefix(100)) } }
        return ActivityFilter(kind: value("kind"), service: value("service"), query: value("query"))
    }

    /// At most so many items, separated by commas.
    private static func list(_ text: String?) -> [String] {
        (text ?? "").split(separator: ",").prefix(10).map(String.init)
    }

    private static func search(_ query: QueryParameters) throws(RouteError) -> PageAddress {
        var search = FilmSearch(
            title: query["q"], director: query["director"],
            openingYears: try value(query, "opened", FilmSearch.years), pageSize: FilmSearch.usualPageSize)
        for (name, text) in [("q", search.title), ("director", search.director)] {
            guard (text ?? "").utf8.count <= FilmSearch.maxTextBytes else { throw .parameter(name) }
        }
        if let page = try value(query, "page", { Int($0).flatMap(PageNumber.init) }) { search.page = page }
        return .search(search)
    }

    /// The day of the query, which may be any that has a chart.
    private static func day(_ query: QueryParameters, now: Double) throws(RouteError) -> Day? {
        guard let text = query["date"] else { return nil }
        do {
            return try Day.ofChart(text, now: now)
        } catch {
            throw .day(error)
        }
    }

    /// The days of the query; an empty field of the form is none.
    private static func range(_ query: QueryParameters, now: Double) throws(RouteError) -> ClosedRange<Day>? {
        let text = (query["range"] ?? "").split(separator: " ").joined(separator: " ")
        guard !text.isEmpty else { return nil }
        do {
            return try DayRangeParser(now: now).parse(text)
        } catch {
            // The page says with examples what a period is.
            throw .parameter("range")
        }
    }

    private static func filmCode(_ text: Substring) throws(RouteError) -> String {
        guard case .code(let code) = FilmReference(String(text)) else { throw .unknown }
        return code
    }
}

// MARK: Charts

extension Route {
    /// - Parameters:
    ///   - name: a day, a week, or nil for yesterday in Seoul.
    ///   - part: "weekend" or "weekdays" of a week.
    private static func chart(
        _ name: String?, _ part: String?, _ query: QueryParameters, now: Double
    ) throws(RouteError) -> PageAddress {
        let filter = try filter(query)
        let layout = try value(query, "view", ChartLayout.init(rawValue:)) ?? .list
        guard let name, let week = Week(iso: name) else {
            guard part == nil, name.map({ $0.first?.isNumber == true }) ?? true else { throw .unknown }
            return .chart(ChartSelection(.daily, around: try day(name, now: now), filter: filter), layout)
        }
        let kinds: [String?: ChartKind] = [nil: .weekly, "weekend": .weekend, "weekdays": .weekdays]
        guard let kind = kinds[part] else { throw .unknown }
        let selection = ChartSelection(kind, around: week.monday, filter: filter)
        // There is a chart as soon as its first day has one.
        _ = try day(max(selection.days.lowerBound, .firstChart).iso, now: now)
        return .chart(selection, layout)
    }

    private static func day(_ text: String?, now: Double) throws(RouteError) -> Day {
        do {
            return try Day.ofChart(text, now: now)
        } catch {
            throw .day(error)
        }
    }

    private static func filter(_ query: QueryParameters) throws(RouteError) -> ChartFilter {
        ChartFilter(
            region: try value(query, "area", Region.init(named:)),
            nation: try value(query, "nation", ChartFilter.Nation.init(rawValue:)),
            diversity: try value(query, "diversity", ChartFilter.Diversity.init(rawValue:)))
    }

    /// Nil also for an empty parameter, as a form sends it.
    private static func value<Value>(
        _ query: QueryParameters, _ name: String, _ make: (String) -> Value?
    ) throws(RouteError) -> Value? {
        guard let text = query[name], !text.isEmpty else { return nil }
        guard let value = make(text) else { throw .parameter(name) }
        return value
    }
}

/// Why an address has no page.
enum RouteError: Error, Equatable {
    /// No page has such an address.
    case unknown
    case day(ChartDayError)
    /// A parameter has a value that it cannot have.
    case parameter(String)
}
