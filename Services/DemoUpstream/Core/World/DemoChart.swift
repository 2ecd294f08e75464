import BoxOffice

/// The published list of one day; empty for a day that is not published.
struct DemoChart: Sendable {
    let day: Day
    let rows: [DemoChartRow]

    init(day: Day, rows: [DemoChartRow]) {
        self.day = day
        self.rows = rows
    }
}
