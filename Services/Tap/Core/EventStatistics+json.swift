internal import EventLog
import MessageBus
import ProcessKit

/// The figures as one JSON object; unknown values are null.
extension EventStatistics: Encodable {
    private enum CodingKeys: String, CodingKey {
        case time, seconds, events, lost, keys, hits, kinds, instances
    }

    private struct Row: Encodable {
        let name: String
        let answers: Int
        let perSecond: Double
        let share: Double?
        let errors: Int
        let keys: Int
        let hits: Int
        let latency: LatencySummary

        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: Names.self)
            try container.encode(name, forKey: .name)
            try container.encode(answers, forKey: .answers)
            try container.encode(perSecond, forKey: .perSecond)
            try container.encode(share, forKey: .share)
            try container.encode(errors, forKey: .errors)
            try container.encode(keys, forKey: .keys)
            try container.encode(hits, forKey: .hits)
            try container.encode(latency, forKey: .latency)
        }

        private enum Names: String, CodingKey {
            case name, answers, perSecond, share, errors, keys, hits, latency
        }
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(span.map { RFC3339.text(microseconds: $0.upperBound) }, forKey: .time)
        try container.encode(span.map { Double($0.upperBound - $0.lowerBound) / 1_000_000 }, forKey: .seconds)
        try container.encode(events, forKey: .events)
        try container.encode(lost, forKey: .lost)
        try container.encode(hits?.keys, forKey: .keys)
        try container.encode(hits?.hits, forKey: .hits)
        try container.encode(rows(kinds) { _ in nil }, forKey: .kinds)
        try container.encode(rows(instances, share), forKey: .instances)
    }

    private func rows(_ figures: [String: Figures], _ share: (String) -> Double?) -> [Row] {
        figures.sorted { $0.key < $1.key }.map { name, figures in
            Row(
                name: name, answers: figures.answers, perSecond: perSecond(figures), share: share(name),
                errors: figures.errors, keys: figures.lookup.keys, hits: figures.lookup.hits, latency: figures.summary)
        }
    }
}
