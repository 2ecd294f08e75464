public import Domain
public import Envelope
import GRDB

/// The admissions of the ten of each known chart of a range.
public struct ArchivedShares: Sendable {
    public struct Day: Sendable {
        public let day: Domain.Day
        public let isProvisional: Bool
        /// By the position of the group in `NationGroup.allCases`.
        public var audiences: [Int]
    }

    /// In order.
    public let days: [Day]
    public let source: DataSource?
    /// The number of films whose country is not known.
    public let withoutNation: Int

    /// The shares of each period, also of those without a known chart.
    public func periods(_ period: ChartPeriod, in range: ClosedRange<Domain.Day>) -> [AudienceShare] {
        var rest = days[...]
        return period.all(in: range).map { period in
            var (sums, known, provisional) = (NationGroup.allCases.map { _ in 0 }, 0, 0)
            while let day = rest.first, day.day <= period.upperBound {
                rest.removeFirst()
                guard day.day >= period.lowerBound else { continue }
                for index in sums.indices { sums[index] &+= day.audiences[index] }
                (known, provisional) = (known + 1, provisional + (day.isProvisional ? 1 : 0))
            }
            func sum(_ group: NationGroup) -> Int { NationGroup.allCases.firstIndex(of: group).map { sums[$0] } ?? 0 }
            return AudienceShare(
                period, knownDays: known, provisionalDays: provisional, korean: sum(.korean), foreign: sum(.foreign),
                coproduction: sum(.coproduction), unknown: sum(.unknown))
        }
    }
}

extension Archive {
    /// The admissions of the daily charts of a range by the films' countries.
    public func shares(_ world: DataWorld, in days: ClosedRange<Day>) async throws -> ArchivedShares {
        try await read { db in
            let charts = try KnownCharts(world, .daily, in: days, db)
            let nations = try Self.nations(world, db)
            let films = try TitledFilms(db)
            let groups = films.films.map { film in
                NationGroup.allCases.firstIndex(of: nations[film.code] ?? .unknown) ?? 0
            }
            let unknown = NationGroup.allCases.firstIndex(of: .unknown) ?? 0
            var (found, without): ([ArchivedShares.Day], Set<Int>) = ([], [])
            try charts.forEach(["title", "audience"], db) { chart, numbers in
                var day = ArchivedShares.Day(
                    day: chart.day, isProvisional: chart.isProvisional, audiences: NationGroup.allCases.map { _ in 0 })
                for start in stride(from: numbers.startIndex, to: numbers.endIndex, by: 2) {
                    let film = films.index(numbers[start])
                    let group = film.map { groups[$0] } ?? unknown
                    if let film, group == unknown { without.insert(film) }
                    day.audiences[group] &+= numbers[start + 1]
                }
                found.append(day)
            }
            return ArchivedShares(days: found, source: charts.source, withoutNation: without.count)
        }
    }
}
