/// The form in which an answer is printed.
public enum AnswerFormat: Sendable, Equatable {
    case text
    /// The stored parts unchanged, with their status.
    case json
    /// One JSON object with these fields of each film.
    case fields([String])
    /// One record per film, with these fields or all fields.
    case records(RecordFormat, [String]?)
}

/// How text shows the films of a chart.
public enum ChartView: String, Sendable, CaseIterable {
    /// One line per film, with a line of details below it in `show`.
    case list
    /// A table of all figures.
    case wide
    /// Cells side by side.
    case grid
}
