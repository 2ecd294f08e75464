public import Domain
public import Envelope
import GRDB

/// Who led the days and weeks of a range.
public struct ArchivedLeaders: Sendable {
    public let days: [ChartLeader]
    public let weeks: [WeekLeader]
    public let source: DataSource?
}

extension Archive {
    /// - Parameter days: of the daily charts.
    public func leaders(_ world: DataWorld, in days: ClosedRange<Day>) async throws -> ArchivedLeaders {
        try await read { db in
            let charts = try KnownCharts(world, .daily, in: days, db)
            let films = try TitledFilms(db)
            var (leaders, weeks): ([ChartLeader], [WeekLeader]) = ([], [])
            // The sums of the week that has begun, by film.
            var (first, monday, sums): (Day?, Day?, [Int: Int]) = (nil, nil, [:])
            func endWeek() {
                let best = sums.min { ($1.value, films.films[$0.key].code) < ($0.value, films.films[$1.key].code) }
                guard let first, let best else { return }
                let film = films.films[best.key]
                weeks.append(WeekLeader(first: first, code: film.code, title: film.title, audience: best.value))
            }
            try charts.forEach(["title", "audience"], db) { chart, numbers in
                let week = Week(of: chart.day).monday
                if week != monday {
                    endWeek()
                    (first, monday, sums) = (max(week, days.lowerBound), week, [:])
                }
                var (leader, total): (RecordSearch.Film?, Int) = (nil, 0)
                for start in stride(from: numbers.startIndex, to: numbers.endIndex, by: 2) {
                    total &+= numbers[start + 1]
                    guard let film = films.index(numbers[start]) else { continue }
                    sums[film, default: 0] &+= numbers[start + 1]
                    // The rows come in the order of the chart.
                    if start == numbers.startIndex { leader = films.films[film] }
                }
                leaders.append(
                    ChartLeader(
                        day: chart.day, code: leader?.code, title: leader?.title,
                        audience: numbers.isEmpty ? 0 : numbers[numbers.startIndex + 1], topAudience: total,
                        isProvisional: chart.isProvisional))
            }
            endWeek()
            return ArchivedLeaders(days: leaders, weeks: weeks, source: charts.source)
        }
    }
}
