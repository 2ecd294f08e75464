import ArchiveMachine
import Contracts
import Domain
import Envelope
import Foundation
import Logging
import Storage
import TestSupport
import Testing

@testable import ArchiveCore

/// Questions about a real month, beside what its rows say by the same rules.
@Suite("Questions to the archive about a real month", .timeLimit(.minutes(1)))
struct ArchiveQuestionTests {
    private let february = "2019-02-01".day..."2019-02-28".day
    /// 2026-11-28.
    private let now: Int64 = 1_795_000_000_000

    /// - Parameter gap: a day that is left out.
    private func withMonth(without gap: Day? = nil, _ body: (Archive) async throws -> Void) async throws {
        try await withTemporaryFolder { folder in
            let archive = try await Archive.open(
                in: folder, logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }, at: now)
            let sights = try ChartedMonth.charts().filter { $0.day != gap }.map { day, entries in
                RecordedSight(
                    key: ChartKey(.upstream, .daily, day),
                    sight: ChartRecord.Sight(.entries(entries), fetchedAt: now - 1000), now: now)
            }
            _ = try await archive.record(sights)
            do {
                try await body(archive)
            } catch {
                try await archive.close()
                throw error
            }
            try await archive.close()
        }
    }

    private func rows(_ days: ClosedRange<Day>) throws -> [String: [(day: Day, entry: ChartEntry)]] {
        let rows = try ChartedMonth.charts().filter { days.contains($0.day) }
            .flatMap { chart in chart.entries.map { (chart.day, $0) } }
        return Dictionary(grouping: rows, by: { $0.1.code })
    }

    @Test("Gains are last total less total before the first row, or less that of the day before the range")
    func gains() async throws {
        try await withMonth { archive in
            for days in [february, "2019-02-04".day..."2019-02-10".day, "2019-02-20".day..."2019-02-20".day] {
                let found = try await archive.gains(.real, .daily, in: days)
                let real = try rows(days)
                #expect(Set(found.films.map(\.code)) == Set(real.keys) && found.known == Array(days))
                let eve = try rows(days.lowerBound.advanced(by: -1)...days.lowerBound.advanced(by: -1))
                for film in found.films {
                    let rows = try #require(real[film.code])
                    let before = eve[film.code].map { $0[0].entry.audienceTotal }
                    let first = rows[0].entry.audienceTotal - rows[0].entry.audience
                    let isInside = before == nil && film.isExact && rows[0].day > days.lowerBound && first != 0
                    let last = rows[rows.count - 1]
                    #expect(film.audience == last.entry.audienceTotal - (isInside ? 0 : before ?? first))
                    #expect(film.charts == rows.count && (film.isExact ? last.day == days.upperBound : true))
                }
            }
            let top = try await archive.gains(.real, .daily, in: february).films.sorted {
                $0.precedes($1, by: .audience)
            }
            // Of KOBIS's figures: 극한직업 had 3,583,236 before February and 15,012,866 at its end.
            #expect(top[0].title == "극한직업" && top[0].isExact)
        }
    }

    @Test("A gain of two ranges is at least the sum of both, and that sum where all are exact")
    func sums() async throws {
        try await withMonth { archive in
            for day in february.dropFirst(3).dropLast(3) {
                func gains(_ days: ClosedRange<Day>) async throws -> [String: FilmGain] {
                    Dictionary(
                        try await archive.gains(.real, .daily, in: days).films.map { ($0.code, $0) },
                        uniquingKeysWith: { first, _ in first })
                }
                let whole = try await gains(february)
                let (left, right) = try await (
                    gains(february.lowerBound...day), gains(day.advanced(by: 1)...february.upperBound)
                )
                for (code, gain) in whole {
                    guard let one = left[code], let other = right[code], gain.audience >= 0 else { continue }
                    if gain.isExact, one.isExact, other.isExact {
                        #expect(gain.audience == one.audience + other.audience)
                    }
                    #expect(gain.audience >= one.audience + other.audience, "\(day) \(gain)")
                }
            }
        }
    }

    @Test("Shares add up to the ten, by the nations of the details")
    func shares() async throws {
        try await withMonth { archive in
            let nations = try ChartedMonth.nations()
            for (code, nations) in nations where code != "20182530" {
                try await archive.record(
                    FilmDetail(code: code, title: code, nations: nations), .upstream, seenAt: now)
            }
            let shares = try await archive.shares(.real, in: february)
            #expect(shares.withoutNation == 1)
            for period in ChartPeriod.allCases {
                var sum = 0
                for share in shares.periods(period, in: february) {
                    let rows = try rows(share.first...share.last).values.joined()
                    #expect(share.audience == rows.reduce(0) { $0 + $1.entry.audience })
                    let korean = rows.filter { $0.entry.code != "20182530" && nations[$0.entry.code] == ["한국"] }
                    #expect(share.korean == korean.reduce(0) { $0 + $1.entry.audience } && share.coproduction == 0)
                    let unknown = rows.filter { $0.entry.code == "20182530" }
                    #expect(share.unknown == unknown.reduce(0) { $0 + $1.entry.audience } && share.isComplete)
                    sum += share.audience
                }
                #expect(sum == (try rows(february).values.joined().reduce(0) { $0 + $1.entry.audience }))
            }
        }
    }

    @Test("Records are the highest figures of the longest span of which every chart is known")
    func records() async throws {
        try await withMonth(without: "2019-02-08".day) { archive in
            let found = try await archive.records(.real, in: february)
            let span = "2019-02-09".day..."2019-02-28".day
            #expect(found.span == span && found.known.count == 27)
            let all = try rows(span)
            func record(_ kind: BoxOfficeRecord.Kind, _ milestone: Int? = nil) throws -> BoxOfficeRecord {
                try #require(found.records.first { $0.kind == kind && $0.milestone == milestone })
            }
            let best = try #require(all.values.joined().max { $0.entry.audience < $1.entry.audience })
            #expect(try record(.day).value == best.entry.audience && record(.day).first == best.day)
            let opening = all.values.joined().filter { $0.entry.openingDay == $0.day }.map(\.entry.audience).max()
            #expect(try record(.openingDay).value == opening)
            for (kind, period) in [(BoxOfficeRecord.Kind.week, ChartPeriod.week), (.month, .month)] {
                // February is cut by the gap, and its weeks but two are whole.
                let sums = all.values.flatMap { rows in
                    Dictionary(grouping: rows) { period.days(around: $0.day) }
                        .filter { span.contains($0.key.lowerBound) && span.contains($0.key.upperBound) }
                        .map { $0.value.reduce(0) { $0 + $1.entry.audience } }
                }
                #expect(found.records.first { $0.kind == kind }?.value == sums.max())
                #expect(sums.isEmpty == (kind == .month))
            }
            let leaders = try ChartedMonth.charts().filter { span.contains($0.day) }.map { $0.entries[0].code }
            var (longest, streak) = (0, 0)
            for (index, leader) in leaders.enumerated() {
                streak = index > 0 && leaders[index - 1] == leader ? streak + 1 : 1
                longest = max(longest, streak)
            }
            let atTop = try record(.daysAtTop)
            #expect(atTop.value == longest, "\(atTop) \(leaders)")
            let reached = all.values.joined().filter {
                $0.entry.audienceTotal >= 1_000_000 && $0.entry.audienceTotal - $0.entry.audience < 1_000_000
            }.compactMap { row in row.entry.openingDay.map { row.day.days(since: $0) } }.filter { $0 >= 0 }
            #expect(found.records.first { $0.milestone == 1_000_000 }?.value == reached.min())
        }
    }

    @Test("Totals of two real films stand side by side by day of release")
    func comparison() async throws {
        try await withMonth { archive in
            let all = try rows(february)
            let codes = all.keys.sorted { (all[$0]?.count ?? 0, $0) > (all[$1]?.count ?? 0, $1) }
                .filter { all[$0]?[0].entry.openingDay.map { $0 >= "2019-01-01".day } == true }.prefix(2)
            var runs: [FilmRun] = []
            for code in codes {
                let rows = try await archive.run(of: code, .real, in: february).rows
                runs.append(try #require(FilmRun(rows, unknown: [])))
            }
            let comparison = try #require(RunComparison(runs, by: .release))
            let lines = Dictionary(uniqueKeysWithValues: comparison.lines.map { ($0.position, $0) })
            for (index, code) in codes.enumerated() {
                for (day, entry) in all[code] ?? [] {
                    let opening = try #require(entry.openingDay)
                    #expect(lines[day.days(since: opening)]?.totals[index] == entry.audienceTotal)
                }
            }
            #expect(comparison.lines.contains { $0.difference != nil })
        }
    }

    @Test("Each day's no. 1 and each week's are those of the rows")
    func leaders() async throws {
        try await withMonth { archive in
            let found = try await archive.leaders(.real, in: february)
            for (day, entries) in try ChartedMonth.charts() {
                let leader = try #require(found.days.first { $0.day == day })
                #expect(leader.code == entries[0].code && leader.audience == entries[0].audience)
                #expect(leader.topAudience == entries.reduce(0) { $0 + $1.audience })
            }
            #expect(
                found.weeks.map(\.first)
                    == ["2019-02-01", "2019-02-04", "2019-02-11", "2019-02-18", "2019-02-25"].map(\.day))
            for week in found.weeks {
                let last = min(Week(of: week.first).days.upperBound, february.upperBound)
                let sums = try rows(week.first...last).mapValues { $0.reduce(0) { $0 + $1.entry.audience } }
                #expect(week.audience == sums.values.max() && sums[week.code] == week.audience)
            }
        }
    }

    @Test("New films are told from returning ones")
    func entries() async throws {
        try await withMonth { archive in
            let days = "2019-02-10".day...february.upperBound
            let found = try await archive.entries(.real, in: days)
            let all = try rows(february)
            #expect(!found.films.isEmpty)
            for film in found.films {
                let days = try #require(all[film.code]).map(\.day)
                #expect(days.first == film.day, "\(film)")
                // January is not known.
                if film.kind == .release { #expect(try #require(film.openingDay) >= "2019-02-01".day) }
            }
            for (code, rows) in all where rows[0].day >= days.lowerBound {
                #expect(found.films.contains { $0.code == code })
            }
        }
    }

    @Test("A film is found by another spelling, and by its English title")
    func titles() async throws {
        try await withMonth { archive in
            try await archive.record(
                FilmDetail(
                    code: "20182530", title: "극한직업", titleEnglish: "Extreme Job",
                    directors: [Person(name: "이병헌", nameEnglish: "LEE Byeong-heon")],
                    actors: [CastMember(name: "류승룡", nameEnglish: nil, role: "고반장")]), .upstream, seenAt: now)
            for text in ["극한 직업", "extreme-job", "EXTREME JOB"] {
                let found = try await archive.films(.real, titled: text)
                #expect(found.isExact && found.films.map(\.code) == ["20182530"], "\(text) \(found)")
            }
            #expect(try await archive.films(.real, titled: "극한").isExact == false)
            #expect(try await archive.films(.real, titled: "극한").films.map(\.code) == ["20182530"])
            #expect(try await archive.films(.real, titled: "…").total == 0)
            #expect(try await archive.films(.demo, titled: "극한직업").total == 0)
            let director = try await archive.films(.real, of: "lee byeong heon")
            #expect(director.films.map(\.isDirector) == [true] && director.details == 1)
            #expect(try await archive.films(.real, of: "류승룡").films.map(\.isActor) == [true])
            #expect(try await archive.films(.real, of: "류승").total == 0)
        }
    }
}
