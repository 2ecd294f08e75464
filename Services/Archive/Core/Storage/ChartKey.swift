import Contracts
public import Domain
public import Envelope

/// Which chart: data of different sources never mix.
public struct ChartKey: Sendable, Hashable {
    public let source: DataSource
    public let kind: ChartKind
    public let firstDay: Day

    /// - Parameter day: the chart's day, or any day of its week.
    public init(_ source: DataSource, _ kind: ChartKind, _ day: Day) {
        self.source = source
        self.kind = kind
        firstDay = kind.days(around: day).lowerBound
    }

    /// The moment from which KOBIS does not correct it, in milliseconds since 1970.
    var settledFrom: Int64 {
        Int64(FreshnessPolicy().settlingTime(of: ChartSelection(kind, around: firstDay)) * 1000)
    }
}
