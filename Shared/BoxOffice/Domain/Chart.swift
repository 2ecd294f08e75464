/// A box office chart: at most ten films with the highest attendance, of a day or of the days of a week.
///
/// In JSON `{"date", "kind", "through", "filter", "entries": […]}`, null for absent values. Each entry has an
/// additional derived field, `reentry`, which depends on the chart's date. Decoding ignores that field and derives it
/// again.
public struct Chart: Sendable, Equatable {
    public let selection: ChartSelection
    /// By row number. An empty list is a regular answer of the upstream: for today and the future it means "not yet
    /// published".
    public let entries: [ChartEntry]

    public init(_ selection: ChartSelection, entries: [ChartEntry]) {
        self.selection = selection
        self.entries = entries
    }
}

extension Chart: Codable {
    private enum CodingKeys: CodingKey {
        case entries, through, filter
    }

    public init(from decoder: any Decoder) throws {
        selection = try ChartSelection(from: decoder)
        entries = try decoder.container(keyedBy: CodingKeys.self).decode([ChartEntry].self, forKey: .entries)
    }

    public func encode(to encoder: any Encoder) throws {
        try selection.encode(to: encoder)
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(
            entries.map { DatedEntry(entry: $0, date: selection.days.lowerBound) }, forKey: .entries)
        if selection.days.count == 1 { try container.encodeNil(forKey: .through) }
        if selection.filter == .everything { try container.encodeNil(forKey: .filter) }
    }
}

/// An entry in a chart's JSON: its own fields and those that depend on the date.
public struct DatedEntry: Encodable {
    private enum CodingKeys: CodingKey {
        case reentry
    }

    private let entry: ChartEntry
    private let date: Day

    /// - Parameter date: the first day of the chart.
    public init(entry: ChartEntry, date: Day) {
        self.entry = entry
        self.date = date
    }

    public func encode(to encoder: any Encoder) throws {
        try entry.encode(to: encoder)
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(entry.isReentry(on: date), forKey: .reentry)
    }
}
