import Contracts
import Domain

/// What the archive knows, as metrics.
enum ArchiveMetrics {
    static func families(_ status: ArchiveStatusReply) -> [MetricFamily] {
        var charts = MetricFamily("boxoffice_archive_charts", .gauge, "Archived charts, by their kind and state.")
        for (kind, years) in Dictionary(grouping: status.years, by: \.chart).sorted(by: {
            $0.key.rawValue < $1.key.rawValue
        }) {
            func add(_ state: String, _ count: (ArchiveStatusReply.Year) -> Int) {
                charts.add(years.reduce(0) { $0 + count($1) }, ["kind": kind.rawValue, "state": state])
            }
            add("settled", \.settled)
            add("provisional", \.provisional)
            add("empty", \.empty)
            add("failed", \.failed)
        }
        var fills = MetricFamily(
            "boxoffice_archive_fill_missing_charts", .gauge, "Charts that the open fills have left, by their state.")
        let open = Dictionary(grouping: status.orders.filter(\.state.isOpen), by: \.state)
        for (state, orders) in open.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
            fills.add(orders.reduce(0) { $0 + $1.missing }, ["state": state.rawValue])
        }
        var setAside = MetricFamily(
            "boxoffice_archive_database_set_aside", .gauge, "Whether a damaged database was replaced at the start.")
        setAside.add(status.setAside != nil)
        return [charts, fills, setAside]
    }
}
