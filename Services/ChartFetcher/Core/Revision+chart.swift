import BoxOffice
import Contracts
import Envelope
import FetcherKit

extension Revision {
    /// `EventKind.chartRevised`: the films with changed figures, and the differences. Films are identified by code.
    init?(of chart: Chart, since stored: Chart, isProvisional: Bool) {
        guard let revision = ChartRevision(from: stored, to: chart) else { return nil }
        func list(_ figure: (ChartRevision.Change) -> Int64) -> AttributeValue {
            let changes = revision.changes.filter { figure($0) != 0 }
            return .text(changes.map { "\($0.code):\(figure($0) > 0 ? "+" : "")\(figure($0))" }.joined(separator: ","))
        }
        self.init(
            kind: EventKind.chartRevised,
            attributes: [
                "chart": .text("\(chart.selection.kind.rawValue) \(chart.selection)"),
                "state": .text(isProvisional ? "provisional" : "settled"), "films": .number(revision.changes.count),
                "audience": list { Int64($0.audience) }, "sales": list(\.sales), "ranks": list { Int64($0.ranks) },
                "entered": .text(revision.entered.joined(separator: ",")),
                "left": .text(revision.left.joined(separator: ",")),
            ])
    }
}
