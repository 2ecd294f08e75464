extension FilmRun {
    /// What is known of a day, or of days without a row.
    public enum Line: Sendable, Equatable {
        /// - Parameter correction: by how much KOBIS has corrected the days before; 0 when the day before has no row.
        case row(FilmDay, correction: Int)
        /// The day before a row, outside the ten or unknown; the row states its figures.
        case proven(ProvenDay)
        case band(Band)
    }

    public struct ProvenDay: Codable, Sendable, Equatable {
        public let date: Day
        public let audience: Int
        public let audienceTotal: Int
    }

    /// A row and what follows from the days before it.
    public struct DayFigures: Sendable, Equatable {
        public let row: FilmDay
        /// See `dayOfRelease(_:)`.
        public let dayOfRelease: Int?
        /// The admissions of the same weekday a week before; nil when they are not known.
        public let audienceWeekBefore: Int?
        /// By how much KOBIS has corrected the days before.
        public let correction: Int
    }

    /// Days without a row.
    public struct Band: Encodable, Sendable, Equatable {
        /// Nil for all days before.
        public let first: Day?
        public let last: Day
        /// Of all its days, with what KOBIS has corrected of the days before.
        public let audience: Int
        /// The number of its days whose charts are not known; on the others the film was outside the ten. Nil before the
        /// first row.
        public let unknownDays: Int?

        /// Encodes every key; an unknown value is null.
        public func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(first, forKey: .first)
            try container.encode(last, forKey: .last)
            try container.encode(audience, forKey: .audience)
            try container.encode(unknownDays, forKey: .unknownDays)
        }

        private enum CodingKeys: CodingKey {
            case first, last, audience, unknownDays
        }
    }

    /// All days from before the first row until the last one, in order.
    public var lines: [Line] {
        var lines = before(rows[0], after: nil)
        lines.append(.row(rows[0], correction: 0))
        for (previous, row) in zip(rows, rows.dropFirst()) {
            if row.day.days(since: previous.day) == 1 {
                lines.append(.row(row, correction: row.totalBefore &- previous.entry.audienceTotal))
            } else {
                lines += before(row, after: previous)
                lines.append(.row(row, correction: 0))
            }
        }
        return lines
    }

    /// The days between two rows that are not adjacent, or before the first one.
    private func before(_ row: FilmDay, after previous: FilmDay?) -> [Line] {
        let eve = row.day.advanced(by: -1)
        let earlier = row.totalBefore &- (previous?.entry.audienceTotal ?? 0)
        guard let audience = row.audienceBefore else {
            return band(after: previous, until: eve, earlier)
        }
        let proven = Line.proven(ProvenDay(date: eve, audience: audience, audienceTotal: row.totalBefore))
        return band(after: previous, until: eve.advanced(by: -1), earlier &- audience) + [proven]
    }

    /// - Parameter audience: nothing is said of days before the first row without admissions.
    private func band(after previous: FilmDay?, until last: Day, _ audience: Int) -> [Line] {
        guard let first = previous?.day.advanced(by: 1) else {
            return audience == 0 ? [] : [.band(Band(first: nil, last: last, audience: audience, unknownDays: nil))]
        }
        guard first <= last else { return [] }
        return [
            .band(Band(first: first, last: last, audience: audience, unknownDays: unknownDays(in: first...last)))
        ]
    }

    /// Of each row, in order.
    public var days: [DayFigures] {
        var known: [Day: Int] = [:]
        var days: [DayFigures] = []
        for line in lines {
            switch line {
            case .row(let row, let correction):
                known[row.day] = row.entry.audience
                days.append(
                    DayFigures(
                        row: row, dayOfRelease: dayOfRelease(row.day),
                        audienceWeekBefore: known[row.day.advanced(by: -7)], correction: correction))
            case .proven(let day): known[day.date] = day.audience
            case .band: break
            }
        }
        return days
    }

    public var bands: [Band] {
        lines.compactMap { if case .band(let band) = $0 { band } else { nil } }
    }

    public var provenDays: [ProvenDay] {
        lines.compactMap { if case .proven(let day) = $0 { day } else { nil } }
    }
}

extension FilmRun {
    /// A total that people name.
    public struct Milestone: Codable, Sendable, Equatable {
        public let audience: Int
        public let date: Day
        /// False when it was reached on that day or earlier.
        public let isExact: Bool
    }

    static let milestones = [
        100_000, 500_000, 1_000_000, 2_000_000, 3_000_000, 4_000_000, 5_000_000, 6_000_000, 7_000_000, 8_000_000,
        9_000_000, 10_000_000, 15_000_000, 20_000_000,
    ]

    /// Those that were reached, the first one first.
    public var milestones: [Milestone] {
        Self.milestones.compactMap { audience in
            guard let row = rows.first(where: { $0.entry.audienceTotal >= audience }) else { return nil }
            let isExact = row.totalBefore < audience
            return Milestone(
                audience: audience, date: isExact ? row.day : row.day.advanced(by: -1), isExact: isExact)
        }
    }
}
