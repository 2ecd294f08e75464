public import Domain
public import Envelope
import GRDB

/// The films that entered the ten in a range.
public struct ArchivedEntries: Sendable {
    /// In the order of days and ranks.
    public let films: [NewFilm]
    /// The charts of the range that are known.
    public let known: [Day]
    public let provisional: Int
    public let source: DataSource?
}

extension Archive {
    /// - Parameter days: of the daily charts.
    public func entries(_ world: DataWorld, in days: ClosedRange<Day>) async throws -> ArchivedEntries {
        try await read { db in
            let before = max(.firstChart, days.lowerBound.advanced(by: -FilmRun.longestGap))
            let charts = try KnownCharts(world, .daily, in: min(before, days.lowerBound)...days.upperBound, db)
            let known = charts.charts.map(\.day)
            let films = try TitledFilms(db)
            var (last, found): ([Int: Day], [NewFilm]) = ([:], [])
            let gaps = Gaps(known)
            try charts.forEach(["title", "rank", "audience", "presence = 'new'"], db) { chart, numbers in
                // Who was in the ten the day before, the charts tell, or else the row, by which other films are old, too.
                let eve = chart.day.advanced(by: -1)
                let isEveKnown = gaps.isKnown(eve...eve)
                for start in stride(from: numbers.startIndex, to: numbers.endIndex, by: 4) {
                    guard let index = films.index(numbers[start]) else { continue }
                    defer { last[index] = chart.day }
                    guard days.contains(chart.day), last[index].map({ chart.day.days(since: $0) > 1 }) ?? true,
                        isEveKnown || numbers[start + 3] == 1
                    else { continue }
                    let film = films.films[index]
                    let kind = NewFilm.Kind(
                        openedOn: film.openingDay, day: chart.day, lastDay: last[index], isKnown: gaps.isKnown)
                    guard let kind else { continue }
                    found.append(
                        NewFilm(
                            kind, code: film.code, title: film.title, openingDay: film.openingDay, day: chart.day,
                            rank: numbers[start + 1], audience: numbers[start + 2], isProvisional: chart.isProvisional))
                }
            }
            let inRange = charts.charts.filter { days.contains($0.day) }
            return ArchivedEntries(
                films: found, known: inRange.map(\.day), provisional: inRange.count(where: \.isProvisional),
                source: inRange.map(\.source).min())
        }
    }

    /// Which days are known, by the number of those before each.
    private struct Gaps {
        private let first: Day?
        private let counts: [Int]

        init(_ known: [Day]) {
            first = known.first
            guard let first, let last = known.last else {
                counts = [0]
                return
            }
            var counts = [0]
            var rest = known[...]
            for day in first...last {
                let isKnown = rest.first == day
                if isKnown { rest.removeFirst() }
                counts.append(counts[counts.count - 1] + (isKnown ? 1 : 0))
            }
            self.counts = counts
        }

        func isKnown(_ days: ClosedRange<Day>) -> Bool {
            guard let first else { return false }
            let (start, end) = (days.lowerBound.days(since: first), days.upperBound.days(since: first) + 1)
            guard start >= 0, end < counts.count else { return false }
            return counts[end] - counts[start] == days.count
        }
    }
}
