import ArchiveMachine
import Contracts
import Domain
import Envelope
import MessageBus
import ProcessKit
import ServiceKit

/// Questions about what a range of charts says together.
extension ArchiveHandler {
    /// From this many days on, weekly charts may stand for daily ones.
    private static let leastDaysOfWeeks = 28

    // MARK: Top

    func top(_ question: ArchiveTopRequest, _ request: IncomingRequest) async throws -> ServiceAnswer {
        let days = try charted(.daily, question.range.days)
        let eve = max(.firstChart, days.lowerBound.advanced(by: -1))
        let limit = question.range.calls.value
        var (kind, counted, calls) = (ChartKind.daily, days, 0)
        if let weeks = try await weeks(of: days, instead: limit) {
            calls = try await fetch(.weekly, in: weeks, upTo: limit, request)
            // Whether they tell more than the days that are known.
            if try await countKnown(.weekly, in: weeks) * 7 > countKnown(.daily, in: days) {
                (kind, counted) = (.weekly, weeks)
            }
        }
        if kind == .daily { calls += try await fetch(.daily, in: eve...days.upperBound, upTo: limit - calls, request) }
        if question.nation != nil {
            calls += try await fetchDetails(kind, in: counted, upTo: limit - calls, request)
            if kind == .weekly { calls += try await fetchDetails(.daily, in: days, upTo: limit - calls, request) }
        }
        let world = await collector.world.world
        let gains = try await archive.gains(world, kind, in: counted)
        var (films, without) = (gains.films, 0)
        if kind == .weekly {
            // A month of it whose days are known must not tell more than the year.
            films = FilmGain.greatest(
                weeks: films, days: try await archive.gains(world, .daily, in: days).films,
                isWhole: counted == days)
        }
        if let nation = question.nation {
            let nations = try await archive.nations(world, kind, in: counted)
            let all = films
            films = all.filter { nations[$0.code] ?? .unknown == nation }
            without = nation == .unknown ? 0 : all.count { nations[$0.code] ?? .unknown == .unknown }
        }
        let limited = min(max(question.limit.value, 1), ArchiveTopRequest.allowedLimit.upperBound)
        let sorted = films.sorted { $0.precedes($1, by: question.order) }.prefix(limited)
        let basis = try await basis(
            kind, counted, known: gains.known, provisional: gains.provisional, source: gains.source, calls: calls)
        // A bound of the whole weeks is one of the range as well.
        let isWhole = counted == days
        return try answer(
            ArchiveTopReply(
                basis: basis, films: sorted.map { isWhole ? $0 : FilmGain(boundOf: $0) }, total: films.count,
                withoutNation: without), basis)
    }

    /// The whole weeks of a range of which more days are unknown than may be fetched, if that is enough for the weeks.
    private func weeks(of days: ClosedRange<Day>, instead calls: Int) async throws -> ClosedRange<Day>? {
        guard days.count >= Self.leastDaysOfWeeks,
            days.count - (try await countKnown(.daily, in: days)) > calls
        else { return nil }
        let monday = Week(of: days.lowerBound.advanced(by: 6)).monday
        let sunday = Week(of: days.upperBound.advanced(by: 1)).monday.advanced(by: -1)
        guard monday < sunday else { return nil }
        let unknown =
            ChartSelection.count(.weekly, in: monday...sunday) - (try await countKnown(.weekly, in: monday...sunday))
        return unknown <= calls ? monday...sunday : nil
    }

    // MARK: Share

    func share(_ question: ArchiveShareRequest, _ request: IncomingRequest) async throws -> ServiceAnswer {
        let days = try charted(.daily, question.range.days)
        var calls = 0
        if question.page == nil {
            calls = try await fetch(.daily, in: days, upTo: question.range.calls.value, request)
            calls += try await fetchDetails(.daily, in: days, upTo: question.range.calls.value - calls, request)
        }
        let shares = try await archive.shares(await collector.world.world, in: days)
        let periods = shares.periods(question.period, in: days).drop { $0.first < question.page ?? $0.first }
        let basis = try await basis(
            .daily, days, known: shares.days.map(\.day), provisional: shares.days.count(where: \.isProvisional),
            source: shares.source, calls: calls)
        return try answer(
            ArchiveShareReply(
                basis: basis, periods: Array(periods.prefix(ArchiveShareRequest.maxPeriods)),
                next: periods.dropFirst(ArchiveShareRequest.maxPeriods).first?.first,
                withoutNation: shares.withoutNation), basis)
    }

    // MARK: Records and new films

    func records(_ question: ArchiveRecordsRequest, _ request: IncomingRequest) async throws -> ServiceAnswer {
        let possible = possibleDays(.daily)
        let days = try question.range.map { try charted(.daily, $0.days) } ?? possible
        var calls = 0
        if let range = question.range { calls = try await fetch(.daily, in: days, upTo: range.calls.value, request) }
        let records = try await archive.records(await collector.world.world, in: days)
        let basis = try await basis(
            .daily, days, known: records.known, provisional: records.provisional, source: records.source, calls: calls)
        return try answer(
            ArchiveRecordsReply(basis: basis, span: records.span, records: records.records), basis)
    }

    func entries(_ question: ArchiveNewRequest, _ request: IncomingRequest) async throws -> ServiceAnswer {
        let days = try charted(.daily, question.range.days)
        var calls = 0
        if question.page == nil {
            // What the first day's films were on the day before.
            let eve = max(.firstChart, days.lowerBound.advanced(by: -1))
            calls = try await fetch(.daily, in: eve...days.upperBound, upTo: question.range.calls.value, request)
        }
        let entries = try await archive.entries(await collector.world.world, in: days)
        let rest = entries.films.drop { $0.day < question.page ?? $0.day }
        var page = rest.prefix(ArchiveNewRequest.maxFilms)
        // A page ends with a day.
        let next = rest.dropFirst(page.count).first?.day
        if let next { page = page.prefix { $0.day < next } }
        let basis = try await basis(
            .daily, days, known: entries.known, provisional: entries.provisional, source: entries.source, calls: calls)
        return try answer(ArchiveNewReply(basis: basis, films: Array(page), next: next), basis)
    }

    // MARK: Leaders

    func leaders(_ question: ArchiveLeadersRequest, _ request: IncomingRequest) async throws -> ServiceAnswer {
        var days = try charted(.daily, question.range.days)
        let longest = days.lowerBound.advanced(by: ArchiveLeadersRequest.maxDays - 1)
        days = days.lowerBound...min(days.upperBound, longest)
        let calls = try await fetch(.daily, in: days, upTo: question.range.calls.value, request)
        let leaders = try await archive.leaders(await collector.world.world, in: days)
        let basis = try await basis(
            .daily, days, known: leaders.days.map(\.day), provisional: leaders.days.count(where: \.isProvisional),
            source: leaders.source, calls: calls)
        return try answer(ArchiveLeadersReply(basis: basis, days: leaders.days, weeks: leaders.weeks), basis)
    }

    // MARK: Basis

    private func answer(_ reply: some Encodable, _ basis: ArchiveBasis) throws -> ServiceAnswer {
        var answer = try ServiceAnswer.json(reply)
        answer.source = basis.source
        answer.attributes["charts"] = .number(basis.known)
        return answer
    }

    /// - Parameter days: from the first day of the first chart to the last day of the last one.
    private func basis(
        _ kind: ChartKind, _ days: ClosedRange<Day>, known: [Day], provisional: Int, source: DataSource?, calls: Int
    ) async throws -> ArchiveBasis {
        let charts = ChartSelection.count(kind, in: days)
        var (missing, failure): (ClosedRange<Day>?, FailureCode?)
        if known.count < charts {
            let known = Set(known)
            let all = ChartSelection.all(kind, in: days).filter { !known.contains($0.days.lowerBound) }
            if let first = all.first, let last = all.last {
                missing = first.days.lowerBound...last.days.upperBound
                let day = last.days.lowerBound
                failure = try await archive.charts(await collector.world.world, kind, in: day...day).first?.failure
            }
        }
        return ArchiveBasis(
            kind, days, charts: charts, known: known.count, provisional: provisional, missing: missing, source: source,
            failure: failure, calls: calls)
    }

    private func firstDays(_ kind: ChartKind, _ days: ClosedRange<Day>) -> ClosedRange<Day> {
        let first = kind.days(around: days.lowerBound).lowerBound
        return first...max(first, kind.days(around: days.upperBound).lowerBound)
    }

    private func countKnown(_ kind: ChartKind, in days: ClosedRange<Day>) async throws -> Int {
        try await archive.knownCharts(await collector.world.world, kind, in: firstDays(kind, days))
    }

    private func countMissing(_ kind: ChartKind, in days: ClosedRange<Day>) async throws -> Int {
        let final = try await archive.finalCharts(await collector.world.world, kind, in: firstDays(kind, days))
        return max(0, ChartSelection.count(kind, in: days) - final)
    }

    /// Fetches charts that are not final.
    ///
    /// - Returns: how many were asked for.
    private func fetch(
        _ kind: ChartKind, in days: ClosedRange<Day>, upTo limit: Int, _ request: IncomingRequest
    ) async throws -> Int {
        guard limit > 0, try await countMissing(kind, in: days) > 0 else { return 0 }
        let states = try await archive.states(await collector.world.world, kind, in: firstDays(kind, days))
        let missing = ChartSelection.all(kind, in: days).filter { states[$0.days.lowerBound]?.isFinal != true }
        return try await collector.fetch(
            Array(missing.prefix(limit)), trace: request.trace, deadline: request.deadline - Self.readingTime)
    }

    private func fetchDetails(
        _ kind: ChartKind, in days: ClosedRange<Day>, upTo limit: Int, _ request: IncomingRequest
    ) async throws -> Int {
        guard limit > 0 else { return 0 }
        let codes = try await archive.filmsWithoutDetail(
            await collector.world.world, kind, in: firstDays(kind, days))
        return try await films.fetch(
            Array(codes.prefix(limit)), trace: request.trace, deadline: request.deadline - Self.readingTime)
    }
}
