import BoxOffice

/// A published list; empty for days that are not published.
struct DemoChart: Sendable {
    let kind: ChartKind
    /// The days that are counted: of a week that still runs, those up to yesterday.
    let days: ClosedRange<Day>
    let rows: [DemoChartRow]
}
