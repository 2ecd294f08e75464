/// In what form people see the films of a chart.
public enum ChartView: String, Sendable, CaseIterable {
    /// A line a film, with a line of details below it in `show`.
    case list
    /// A table of all figures.
    case wide
    /// Cells beside each other.
    case grid
}
