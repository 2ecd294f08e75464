/// The box office chart of one day: the ten best attended films at most.
///
/// In JSON `{"date", "kind": "daily", "entries": […]}`, where each entry carries one derived fact more, `reentry`, because
/// it needs the chart's date. Reading ignores that fact and derives it anew.
public struct DailyChart: Sendable, Equatable {
    public let date: Day
    /// By row number. Empty is a normal answer of the upstream: for today and the future it means "not published yet".
    public let entries: [ChartEntry]

    /// What kind of chart the JSON holds: always "daily".
    public var kind: String { Self.kind }

    private static let kind = "daily"

    public init(date: Day, entries: [ChartEntry]) {
        self.date = date
        self.entries = entries
    }
}

extension DailyChart: Codable {
    private enum CodingKeys: String, CodingKey {
        case date, kind, entries
    }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        let kind = try container.decode(String.self, forKey: .kind)
        guard kind == Self.kind else {
            throw DecodingError.dataCorruptedError(
                forKey: .kind, in: container, debugDescription: "\"\(kind)\" is no daily chart")
        }
        date = try container.decode(Day.self, forKey: .date)
        entries = try container.decode([ChartEntry].self, forKey: .entries)
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(date, forKey: .date)
        try container.encode(kind, forKey: .kind)
        try container.encode(entries.map { DatedEntry(entry: $0, date: date) }, forKey: .entries)
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
