import Domain

/// The address of a page, and of the same answer as JSON.
enum PageAddress: Sendable, Hashable {
    case chart(ChartSelection, ChartLayout)
    /// A film, with its run up to a day; nil: up to yesterday.
    case film(String, until: Day? = nil)
    /// The films of the catalogue that match; without criteria the form.
    case search(FilmSearch)
    case calendar(Month)
    /// The films of a month or a year.
    case month(Month)
    case year(Int)
    /// The totals of films side by side, each by its code or title.
    case compare([String], RunComparison.Axis)
    /// The records of these days; nil for all that is archived.
    case records(ClosedRange<Day>? = nil)
    case about
    /// How the query of that id was answered.
    case how(String)
    /// The messages of the stack as they happen.
    case activity(ActivityFilter)

    /// The canonical path and query, without a language.
    ///
    /// - Parameter suffix: of the same answer in another form, such as ".json", which has no layout.
    func path(as suffix: String = "") -> String {
        let query = parameters(isPage: suffix.isEmpty).map { "\($0.name)=\($0.value.percentEncoded)" }
        return name + suffix + (query.isEmpty ? "" : "?" + query.joined(separator: "&"))
    }

    /// As the name of a file, without an extension: "2022-W01-weekend".
    var fileName: String {
        let words = path().split { !($0.isLetter || $0.isNumber) }
        return words.joined(separator: "-")
    }

    private var name: String {
        switch self {
        case .chart(let selection, _):
            let week = "/\(Week(of: selection.days.lowerBound).iso)"
            return switch selection.kind {
            case .daily: "/\(selection.days.lowerBound.iso)"
            case .weekly: week
            case .weekend: week + "/weekend"
            case .weekdays: week + "/weekdays"
            }
        case .film(let code, _): return "/films/\(code)"
        case .search: return "/search"
        case .calendar(let month): return "/calendar/\(month.iso)"
        case .month(let month): return "/\(month.iso)"
        case .year(let year): return "/\(year)"
        case .compare: return "/compare"
        case .records: return "/records"
        case .about: return "/about"
        case .how(let query): return "/how/\(query)"
        case .activity: return "/how"
        }
    }

    private func parameters(isPage: Bool) -> [(name: String, value: String)] {
        switch self {
        case .chart(let selection, let layout):
            let filter = selection.filter
            return [
                ("view", layout == .list || !isPage ? nil : layout.rawValue), ("area", filter.region?.rawValue),
                ("nation", filter.nation?.rawValue), ("diversity", filter.diversity?.rawValue),
            ].compactMap { name, value in value.map { (name, $0) } }
        case .search(let search):
            let page = search.page.value
            return [
                ("q", search.title), ("director", search.director),
                ("opened", search.openingYears.map(FilmSearch.text)),
                ("page", page > 1 ? String(page) : nil),
            ].compactMap { name, value in value.map { (name, $0) } }
        case .activity(let filter): return filter.parameters
        case .film(_, let day): return day.map { [("date", $0.iso)] } ?? []
        case .compare(let films, let axis):
            return films.map { ("film", $0) } + (axis == .date ? [("by", axis.rawValue)] : [])
        case .records(let days): return days.map { [("range", $0.written)] } ?? []
        case .calendar, .month, .year, .about, .how: return []
        }
    }
}

extension PageAddress {
    /// The parameters that name a chart in the address of its events.
    var events: String {
        guard case .chart(let selection, _) = self else { return "" }
        let path = PageAddress.chart(selection, .list).path()
        return "chart=" + path.dropFirst().replacing("?", with: "&")
    }
}

/// Which events a page shows; nil for all.
struct ActivityFilter: Sendable, Hashable {
    /// Patterns such as "chart.*", with commas between them.
    var kind: String?
    /// Services or instances, with commas between them.
    var service: String?
    /// The first digits of a query.
    var query: String?

    fileprivate var parameters: [(name: String, value: String)] {
        [("kind", kind), ("service", service), ("query", query)].compactMap { name, value in value.map { (name, $0) } }
    }

    /// As the end of an address.
    var suffix: String { String(PageAddress.activity(self).path().drop { $0 != "?" }) }
}

/// How a page shows the films of a chart.
enum ChartLayout: String, Sendable {
    case list, grid
}
