/// A box office chart: the ten best attended films at most, of a day or of the days of a week.
///
/// In JSON `{"date", "kind", "through", "filter", "entries": […]}`, null for what does not apply; each entry carries one derived fact
/// more, `reentry`, because it needs the chart's date. Reading ignores that fact and derives it anew.
public struct Chart: Sendable, Equatable {
    public let selection: ChartSelection
    /// By row number. Empty is a normal answer of the upstream: for today and the future it means "not published yet".
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

/// An entry as the chart's JSON shows it: its own facts and those that only the date tells.
private struct DatedEntry: Encodable {
    enum CodingKeys: CodingKey {
        case reentry
    }

    let entry: ChartEntry
    let date: Day

    func encode(to encoder: any Encoder) throws {
        try entry.encode(to: encoder)
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(entry.isReentry(on: date), forKey: .reentry)
    }
}
