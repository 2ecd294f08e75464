/// In what form an answer is printed.
public enum AnswerFormat: Sendable, Equatable {
    case text
    /// The stored parts as they are, with their status.
    case json
    /// One JSON object with these fields of each film.
    case fields([String])
    /// One record a film, with these fields or with all.
    case records(RecordFormat, [String]?)
}

/// In what form people see the films of a chart.
public enum ChartView: String, Sendable, CaseIterable {
    /// A line a film, with a line of details below it in `show`.
    case list
    /// A table of all figures.
    case wide
    /// Cells beside each other.
    case grid
}
